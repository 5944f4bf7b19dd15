/**
 * Which core a process runs on. Server and load generator get one each: a scheduler that moves them about
 * costs a tenth and hides what is compared.
 */
import { readFileSync } from 'node:fs';
import { isOnPath } from './executable.ts';

/** `any` is left to the scheduler. */
export type Role = 'server' | 'load' | 'any';

export interface CorePlan {
  /** One line for the report. */
  readonly description: string;
  /** Words to put before a command. */
  pin(role: Role): readonly string[];
}

/** The cores of `0-3,8` as numbers. */
export function parseCoreList(text: string): readonly number[] {
  return text
    .trim()
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    });
}

function allowedCores(): readonly number[] {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return parseCoreList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
  } catch {
    return [];
  }
}

export function planCores(): CorePlan {
  const [server, load] = allowedCores();
  if (server === undefined || load === undefined || !isOnPath('taskset')) {
    return {
      description: 'processes are not pinned (that needs taskset and two cores): figures scatter more',
      pin: () => [],
    };
  }
  const cores = { server: String(server), load: String(load) };
  return {
    description: `server pinned to core ${server}, load generator to core ${load}`,
    pin: (role) => (role === 'any' ? [] : ['taskset', '-c', cores[role]]),
  };
}
