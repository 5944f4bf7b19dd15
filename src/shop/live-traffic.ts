/**
 * What lint and effects know of live traffic: carts that were kept of it, and the records that it used lately. Plain data, so
 * that it travels with a question to a thread.
 */
import { DAY_MS } from '../domain/calendar-day.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import type { LiveShown } from '../lint/shop-facts.ts';
import type { Probe } from '../probes/draft-cart.ts';
import type { Coverage } from '../wire/coverage.ts';

/** A cart that was kept: the request without what is personal, as JSON text, and its clock in ms since the epoch. */
export interface LiveCart {
  readonly text: string;
  readonly nowMs: number;
}

export interface LiveTraffic {
  readonly carts: readonly LiveCart[];
  /** Ids of rules that matched and methods that were offered; null while coverage knows of no traffic. */
  readonly used: { readonly ruleIds: readonly string[]; readonly methodIds: readonly string[] } | null;
}

export const NO_TRAFFIC: LiveTraffic = { carts: [], used: null };

const LATELY_MS = 30 * DAY_MS;

/** What the simulations of the last 30 days used. */
export function usedLately({ simulations, rules, methods }: Coverage, nowMs: number): LiveTraffic['used'] {
  if (simulations === 0) return null;
  const isLate = (time: string | null) => time !== null && Date.parse(time) >= nowMs - LATELY_MS;
  return {
    ruleIds: rules.filter(({ lastMatchedAt }) => isLate(lastMatchedAt)).map(({ ruleId }) => ruleId),
    methodIds: methods.filter(({ lastOfferedAt }) => isLate(lastOfferedAt)).map(({ methodId }) => methodId),
  };
}

/** `live`: the configuration that answered them; a record that differs from it was used by none. */
export function liveShown({ used }: LiveTraffic, live: PlacedConfig): { readonly live?: LiveShown } {
  if (used === null) return {};
  const [ruleIds, methodIds] = [new Set(used.ruleIds), new Set(used.methodIds)];
  const rules = live.methods.flatMap((method) => method.rules.filter(({ id }) => ruleIds.has(id)));
  const [matched, offered] = [
    new Set<unknown>(rules),
    new Set<unknown>(live.methods.filter(({ id }) => methodIds.has(id))),
  ];
  return { live: { hasMatched: (rule) => matched.has(rule), wasOffered: (method) => offered.has(method) } };
}

export const liveProbes = (carts: readonly LiveCart[]): readonly Probe[] =>
  carts.map(({ text, nowMs }) => ({ request: JSON.parse(text) as SimulateRequest, nowMs }));
