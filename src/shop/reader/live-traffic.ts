/**
 * What lint and effects know of live traffic: carts that were kept of it, and the rules that it matched lately. Plain data, so
 * that it travels with a question to a thread.
 */
import { DAY_MS } from '../../engine/domain/calendar-day.ts';
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import type { Rule } from '../../engine/domain/rule.ts';
import type { PlacedConfig } from '../../engine/domain/shop-event.ts';
import type { LiveShown } from '../../engine/lint/shop-facts.ts';
import type { Probe } from '../../engine/probes/draft-cart.ts';
import type { Coverage } from '../../engine/wire/coverage.ts';

/** A live simulation that is kept, for replays and as a probe. */
export interface KeptCart {
  /** The request without what is personal, as JSON text. */
  readonly text: string;
  /** The clock of its time conditions, ms since the epoch. */
  readonly nowMs: number;
}

export interface LiveTraffic {
  readonly carts: readonly KeptCart[];
  /** Ids of the rules that matched lately; null while coverage knows of no traffic. */
  readonly matched: readonly string[] | null;
}

export const NO_TRAFFIC: LiveTraffic = { carts: [], matched: null };

const LATELY_MS = 30 * DAY_MS;

/** The rules that simulations of the last 30 days matched. */
export function matchedLately({ simulations, rules }: Coverage, nowMs: number): LiveTraffic['matched'] {
  if (simulations === 0) return null;
  const isLate = (time: string | null) => time !== null && Date.parse(time) >= nowMs - LATELY_MS;
  return rules.filter(({ lastMatchedAt }) => isLate(lastMatchedAt)).map(({ ruleId }) => ruleId);
}

/** `live`: the configuration that answered them; a rule with other conditions was matched by none. */
export function liveShown({ matched }: LiveTraffic, live: PlacedConfig): { readonly live?: LiveShown } {
  if (matched === null) return {};
  const ids = new Set(matched);
  const rules = live.methods.flatMap((method) => method.rules.filter(({ id }) => ids.has(id)));
  const textOf = ({ id, conditions }: Rule) => JSON.stringify([id, conditions]);
  const texts = new Set(rules.map(textOf));
  return { live: { hasMatched: (rule) => texts.has(textOf(rule)) } };
}

export const keptProbes = (carts: readonly KeptCart[]): readonly Probe[] =>
  carts.map(({ text, nowMs }) => ({ request: JSON.parse(text) as SimulateRequest, nowMs }));
