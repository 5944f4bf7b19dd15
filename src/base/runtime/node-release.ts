/**
 * The releases of Node that the program runs on. `cli.ts` asks before it loads anything else, because older releases cannot
 * load the rest. So this file imports nothing, and its syntax is one that they can parse.
 */

/** As `engines` of package.json has it. */
export const NODE_RELEASES = '^20.15.0 || ^22.2.0 || ^24.0.0 || ^26.0.0';

/** One line for a person if the program does not run on this release of Node, else null. */
export function nodeRefusal(version: string): string | null {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  const releases = NODE_RELEASES.split(' || ').map((range) => range.slice(1).split('.').map(Number));
  if (releases.some(([least, minorMin]) => major === least && minor >= (minorMin as number))) return null;
  const named = releases.map(([least, minorMin]) =>
    minorMin === 0 ? least : `${least} (from ${least}.${minorMin})`,
  );
  return `this is Node ${version}; Ratewright runs on Node ${named.slice(0, -1).join(', ')} or ${named[named.length - 1]}`;
}
