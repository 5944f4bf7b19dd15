/**
 * Observes finished requests: measures the duration by route and status, and logs those that were refused, and a slow one
 * with the duration of each phase. It logs no query, no header and no body.
 */
import type { LogFields } from '../../base/runtime/logger.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import type { Exchange, Wait } from './exchange.ts';
import { RefusalLog } from './refusal-log.ts';
import { endRequestSpan } from './request-span.ts';

const REFUSED_STATUS_MIN = 400;

const REASONS: Readonly<Record<Wait | 'work', string>> = {
  receive: 'the body came slowly',
  // A shop that was not in memory, the log that a check or a copy reads, what other nodes have written.
  load: 'it waited for the disk or the database',
  write: 'the write waited for its turn and its flush',
  thread: 'a worker thread made the answer',
  deliver: 'the client read slowly',
  work: 'it took the processor, or waited for it',
};

export class RequestObserver {
  readonly #dependencies: HttpDependencies;
  readonly #settings: HttpSettings;
  readonly #refusals: RefusalLog;

  constructor(dependencies: HttpDependencies, settings: HttpSettings) {
    this.#dependencies = dependencies;
    this.#settings = settings;
    this.#refusals = new RefusalLog(dependencies.logger);
  }

  /** Never throws. */
  ended(exchange: Exchange): void {
    const { clock, metrics } = this.#dependencies;
    const ms = clock.monotonicMs() - exchange.startMs;
    metrics.requests.observe(exchange.routeName, exchange.statusText, ms);
    if (exchange.span !== null) endRequestSpan(exchange.span, exchange);
    const { slowRequestMs, logLevel } = this.#settings;
    const isRefused = exchange.status >= REFUSED_STATUS_MIN;
    if (!isRefused && ms < slowRequestMs && logLevel !== 'debug') return;
    try {
      if (isRefused) this.#refusals.add(exchange);
      if (ms >= slowRequestMs || logLevel === 'debug') this.#log(exchange, ms);
    } catch {
      // An error of the logger must not affect the answer.
    }
  }

  /** No more requests come. */
  close(): void {
    this.#refusals.close();
  }

  #log(exchange: Exchange, ms: number): void {
    const { logger } = this.#dependencies;
    const waits = { receive: 0, load: 0, write: 0, thread: 0, deliver: 0, ...exchange.waits };
    const work = Object.values(waits).reduce((left, waitMs) => left - waitMs, ms);
    const phases = { ...waits, work: Math.max(0, work) };
    const fields: LogFields = {
      ...exchange.logFields(),
      ms: rounded(ms),
      ...Object.fromEntries(Object.entries(phases).map(([phase, part]) => [`${phase}Ms`, rounded(part)])),
    };
    if (ms < this.#settings.slowRequestMs) logger.debug('request.done', fields);
    else logger.warn('request.slow', { ...fields, reason: REASONS[largest(phases)] });
  }
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

function largest<K extends string>(phases: Readonly<Record<K, number>>): K {
  const names = Object.keys(phases) as K[];
  return names.reduce((most, name) => (phases[name] > phases[most] ? name : most));
}
