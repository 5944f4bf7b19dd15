/** What the clients for Node share: the options of their connections, and how they wait. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { CALLER_DEFAULTS, type CallerOptions, type Waits, withoutUndefined } from './caller.ts';
import { count, milliseconds, OBJECT, type OptionKind } from './given-options.ts';
import type { RetryLimits } from './retry-policy.ts';
import { Transport } from './transport.ts';

export interface ConnectionOptions extends Partial<RetryLimits> {
  /** Time limit of every call including repetitions (default: 2,000 for simulate and simulateBatch, 10,000 for the others). */
  readonly deadlineMs?: number;
  /** Maximum number of connections (default 8). */
  readonly connections?: number;
  /** Maximum bytes of one answer (default 64 MiB). */
  readonly answerBytesMax?: number;
  /** Clocks, random numbers and waiting; tests replace them. */
  readonly waits?: Waits;
}

export const CONNECTION_OPTIONS: { readonly [K in keyof Required<ConnectionOptions>]: OptionKind } = {
  deadlineMs: milliseconds(1),
  connections: count(1),
  answerBytesMax: count(1),
  retriesMax: count(0),
  backoffMs: milliseconds(0),
  backoffMsMax: milliseconds(0),
  waits: OBJECT,
};

const CONNECTION_DEFAULTS = {
  ...CALLER_DEFAULTS,
  connections: 8,
  answerBytesMax: 64 * 1024 * 1024,
} as const;

export const REAL_WAITS: Waits = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};

/** Where the service is: a base address, or a Unix socket. */
export type ServiceAddress = { readonly url: string } | { readonly socketPath: string };

/** How the calls to a service are made, over connections that are kept. */
export function connectionOf(
  address: ServiceAddress,
  key: string | undefined,
  options: ConnectionOptions,
): CallerOptions & { readonly sender: Transport } {
  const settings = { ...CONNECTION_DEFAULTS, ...withoutUndefined(options) };
  const url = 'url' in address ? new URL(address.url) : null;
  return {
    ...settings,
    sender: new Transport({ ...settings, address: 'url' in address ? new URL(address.url) : address }),
    basePath: url === null ? '' : url.pathname.replace(/\/+$/, ''),
    key,
    waits: options.waits ?? REAL_WAITS,
    newKey: randomUUID,
  };
}
