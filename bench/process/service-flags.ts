/** The flags of Node that `npm start` gives the service: what is measured runs as users run it. */
import { readFileSync } from 'node:fs';
import { projectPath } from '../project-paths.ts';

/** Throws when the start script does not run the service as it is expected to. */
export function serviceFlags(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const command = /(?:^| )node ((?:--\S+ )*)dist\/src\/cli\.js serve$/.exec(scripts.start);
  if (command?.[1] === undefined) throw new Error('the start script does not end with the service');
  return command[1].split(' ').filter((flag) => flag !== '');
}
