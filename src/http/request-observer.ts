/**
 * Observes finished requests: the duration by route and status, and a log line for a slow one that tells where the time
 * went. Nothing of its content is kept: no query, no header, no body.
 */
import type { LogFields } from '../runtime/logger.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import type { Exchange, Wait } from './exchange.ts';

/** The client left before there was an answer. */
const ABORTED = 'aborted';

/** The reasons of a slow request in words. */
const REASONS: Readonly<Record<Wait | 'work', string>> = {
  receive: 'the body came slowly',
  load: 'the shop had to be brought into memory',
  write: 'the write waited for its turn and its flush',
  thread: 'a worker thread made the answer',
  deliver: 'the client read slowly',
  work: 'it took the processor, or waited for it',
};

export class RequestObserver {
  readonly #dependencies: HttpDependencies;
  readonly #slowMs: number;
  readonly #logsAll: boolean;

  constructor(dependencies: HttpDependencies, { slowRequestMs, logLevel }: HttpSettings) {
    this.#dependencies = dependencies;
    this.#slowMs = slowRequestMs;
    this.#logsAll = logLevel === 'debug';
  }

  /** Gives the time at which the request is over. Never throws. */
  ended(exchange: Exchange): number {
    const { clock, metrics } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const ms = nowMs - exchange.startMs;
    const status =
      exchange.status === 200 ? '200' : exchange.status === 0 ? ABORTED : String(exchange.status);
    metrics.requests.observe(exchange.routeName, status, ms);
    if (ms >= this.#slowMs || this.#logsAll) this.#log(exchange, status, ms);
    return nowMs;
  }

  #log(exchange: Exchange, status: string, ms: number): void {
    const { requestId, routeName, head } = exchange;
    const waits = { receive: 0, load: 0, write: 0, thread: 0, deliver: 0, ...exchange.waits };
    const work = Object.values(waits).reduce((left, waitMs) => left - waitMs, ms);
    const phases = { ...waits, work: Math.max(0, work) };
    const fields: LogFields = {
      requestId,
      verb: head.verb,
      route: routeName,
      status,
      ms: rounded(ms),
      ...Object.fromEntries(Object.entries(phases).map(([phase, part]) => [`${phase}Ms`, rounded(part)])),
    };
    try {
      const { logger } = this.#dependencies;
      if (ms < this.#slowMs) logger.debug('request.done', fields);
      else logger.warn('request.slow', { ...fields, reason: REASONS[largest(phases)] });
    } catch {
      // A logger that fails must not cost the answer.
    }
  }
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

function largest<K extends string>(phases: Readonly<Record<K, number>>): K {
  const names = Object.keys(phases) as K[];
  return names.reduce((most, name) => (phases[name] > phases[most] ? name : most));
}
