/** Processor time of another process, so that a server's cost shows even where the load generator is the limit. */
import { readdirSync, readFileSync } from 'node:fs';

const threadNanoseconds = (pid: number, thread: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);

/** Microseconds of processor time of the main thread, which answers; null where the system does not tell. */
export function mainThreadTimeUs(pid: number): number | null {
  try {
    return threadNanoseconds(pid, String(pid)) / 1_000;
  } catch {
    return null;
  }
}

/**
 * Microseconds of processor time of all threads of the process and of the processes that it started; null where the
 * system does not tell. Threads that have ended are not counted.
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
