/**
 * Witness maker: probe carts that show a finding, each simulated before it is handed out. Simulating costs time in
 * proportion to the answer, so there is a budget; when it is spent, findings come without a witness.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { Witness } from '../domain/finding.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { Probe } from '../probes/draft-cart.ts';
import { isWrittenIn } from '../probes/postal-examples.ts';
import type { SimulateAnswer } from '../wire/answer.ts';

/** Characters that the answers to all requests tried for a report may have together: a second or two. */
const ANSWER_CHARACTERS_MAX = 100_000_000;

const ISO_TIME_LENGTH = '2026-01-07T12:00:00.000Z'.length;

/** True when the answer to a request shows the finding. */
type Shows = (answer: SimulateAnswer) => boolean;

export class WitnessMaker {
  readonly #shop: CompiledShop;
  readonly #itemsMax: number;
  #charactersLeft = ANSWER_CHARACTERS_MAX;

  /** `itemsMax`: the operator's limit on items of one request. */
  constructor(shop: CompiledShop, itemsMax: number) {
    this.#shop = shop;
    this.#itemsMax = itemsMax;
  }

  /**
   * Returns the cart as a witness if its answer shows the finding; null if not, when the budget is used up, and for a cart
   * that nobody could send: with more items than a request may have, with a postal code that its country does not write.
   */
  confirmed(probe: Probe | null | undefined, shows: Shows): Witness | null {
    if (probe === null || probe === undefined || this.#charactersLeft <= 0) return null;
    const { request, nowMs } = probe;
    const { country, postalCode } = request.destination;
    if (request.items.length > this.#itemsMax || !isWrittenIn(country, postalCode ?? '')) return null;
    const at = new Date(nowMs).toISOString();
    const answer = evaluate(this.#shop, request, nowMs);
    if (!answer.ok || at.length !== ISO_TIME_LENGTH) return null;
    this.#charactersLeft -= answer.value.length;
    return shows(JSON.parse(answer.value) as SimulateAnswer) ? { request, at } : null;
  }

  /** Returns the first confirmed witness; null when there is none. */
  firstConfirmed(probes: Iterable<Probe | null | undefined>, shows: Shows): Witness | null {
    for (const probe of probes) {
      const witness = this.confirmed(probe, shows);
      if (witness !== null) return witness;
    }
    return null;
  }
}
