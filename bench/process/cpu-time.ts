/** Processor time of another process, so that a server's cost shows even where the load generator is the limit. */
import { readdirSync, readFileSync } from 'node:fs';

const threadNanoseconds = (pid: number, thread: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);

/** The same of its main thread alone: the one that answers. */
export function mainThreadTimeUs(pid: number): number | null {
  try {
    return threadNanoseconds(pid, String(pid)) / 1_000;
  } catch {
    return null;
  }
}

/**
 * Microseconds of processor time that all threads of the process, and of those that it started, have used, or null where the
 * system does not tell. A thread that ended is not counted any more.
 */
export function cpuTimeUs(pid: number): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    let nanoseconds = 0;
    for (const thread of threads) nanoseconds += threadNanoseconds(pid, thread);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    const ofChildren = children.map((child) => cpuTimeUs(Number(child)) ?? 0);
    return nanoseconds / 1_000 + ofChildren.reduce((sum, us) => sum + us, 0);
  } catch {
    return null;
  }
}
