/**
 * Named points at which a test can kill the process as a power failure would: no handler runs, nothing is flushed. Off
 * unless `armFailpoint` was called. While off, a point costs one comparison with null.
 */

/** The points of every process: of a write in its order, of the next simulation, of a checkpoint. */
export const FAILPOINTS = [
  'before-decide',
  'after-decide',
  'before-append',
  'after-append',
  'before-publish',
  'after-publish',
  'before-reply',
  'after-reply',
  'before-compile',
  'after-compile',
  'before-checkpoint',
  'after-checkpoint',
] as const;
/** Those that only a node of a database passes: between the database and its mirror, and once every node shows a write. */
export const NODE_FAILPOINTS = ['before-mirror', 'after-barrier'] as const;
export type FailpointName = (typeof FAILPOINTS | typeof NODE_FAILPOINTS)[number];

/** The process dies when it passes `name` the `count`-th time (1 = the first). */
export interface Failpoint {
  readonly name: FailpointName;
  readonly count: number;
}

let armed: { readonly name: FailpointName; left: number; readonly die: () => void } | null = null;

const killProcess = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Arms one point, or disarms it (null). Tests replace `die`. */
export function armFailpoint(point: Failpoint | null, die: () => void = killProcess): void {
  armed = point === null ? null : { name: point.name, left: point.count, die };
}

/** Call at the point `name`. Kills the process when the point is armed and its count is reached. */
export function failpoint(name: FailpointName): void {
  if (armed !== null) pass(armed, name);
}

function pass(point: NonNullable<typeof armed>, name: FailpointName): void {
  if (point.name !== name) return;
  point.left--;
  if (point.left === 0) point.die();
}

/** Reads `name` or `name:count`; null for any other text. */
export function parseFailpoint(text: string): Failpoint | null {
  const [name = '', count = '1', ...rest] = text.split(':');
  const known = [...FAILPOINTS, ...NODE_FAILPOINTS].find((point) => point === name);
  if (known === undefined || rest.length > 0 || !/^[1-9][0-9]{0,8}$/.test(count)) return null;
  return { name: known, count: Number(count) };
}
