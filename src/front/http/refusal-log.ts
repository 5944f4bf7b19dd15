/**
 * Log lines of refused requests: at most `LINES_MAX` a second for each shop, then one line with the number of the others.
 * Requests whose shop is not known share such a budget. A second begins with the first refusal after the one before.
 */
import type { Logger } from '../../base/runtime/logger.ts';
import type { Exchange } from './exchange.ts';

const LINES_MAX = 10;
/** Shops with a budget of their own in one second; further ones share that of no shop. */
const SHOPS_MAX = 1_000;
const SECOND_MS = 1_000;

export class RefusalLog {
  readonly #logger: Pick<Logger, 'info'>;
  readonly #shopsMax: number;
  /** Refusals of this second by shop; null for no shop. */
  readonly #counts = new Map<string | null, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(logger: Pick<Logger, 'info'>, shopsMax = SHOPS_MAX) {
    this.#logger = logger;
    this.#shopsMax = shopsMax;
  }

  add(refused: Pick<Exchange, 'caller' | 'logFields'>): void {
    const shopId = this.#budgetOf(refused.caller?.shopId ?? null);
    const count = (this.#counts.get(shopId) ?? 0) + 1;
    this.#counts.set(shopId, count);
    this.#timer ??= setTimeout(() => this.close(), SECOND_MS).unref();
    if (count <= LINES_MAX) this.#logger.info('request.refused', refused.logFields());
  }

  #budgetOf(shopId: string | null): string | null {
    return this.#counts.has(shopId) || this.#counts.size < this.#shopsMax ? shopId : null;
  }

  /** Ends the second. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [shopId, count] of this.#counts) {
      if (count > LINES_MAX)
        this.#logger.info('request.more_refused', { shopId, refused: count - LINES_MAX });
    }
    this.#counts.clear();
  }
}
