/**
 * The truth of findings, from simulated answers alone: which answers refute a finding, and which answers its witness
 * must have. Shares no code with the lint.
 */
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { Finding } from '../../../src/engine/domain/finding.ts';
import { splitPostalPatterns } from '../../../src/engine/domain/postal-code.ts';
import { tiersOfRate } from '../../../src/engine/domain/rate-type.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopSettings } from '../../../src/engine/domain/shop.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { canonicalCode, readPattern } from '../../support/reference/postal.ts';
import { referenceSimulate } from '../../support/reference/simulate.ts';

export type Settings = Pick<ShopSettings, 'currency' | 'timezone' | 'fulfilment'>;
export type Simulate = (request: SimulateRequest, nowMs: number) => SimulateAnswer | null;
/** True when the answer to the request refutes the finding. */
export type Refuter = (request: SimulateRequest, nowMs: number) => boolean;

export interface TestedShop {
  readonly config: ShopConfig;
  /** null for a request that is refused because an amount is too large. */
  readonly simulate: Simulate;
  /** The same shop with another configuration. */
  with(config: ShopConfig): TestedShop;
}

const EMPTY: ShopConfig = { zones: [], productGroups: [], methods: [], blendedRates: [] };

/** `clock` is a compiled shop whose calendar is reused, because making a calendar costs more than the rest. */
export function testedShop(
  config: ShopConfig,
  settings: Settings,
  clock = compileShop(EMPTY, settings),
): TestedShop {
  const shop = compileShop(config, settings, clock);
  return {
    config,
    simulate: (request, nowMs) => {
      const answer = evaluate(shop, request, nowMs);
      return answer.ok ? (JSON.parse(answer.value) as SimulateAnswer) : null;
    },
    with: (other) => testedShop(other, settings, clock),
  };
}

/** The shop as the naive reference evaluator answers it. */
export const referenceShop = (config: ShopConfig, settings: Settings): TestedShop => ({
  config,
  simulate: (request, nowMs) => {
    const result = referenceSimulate(config, settings, request, nowMs);
    return result.status === 200 ? result.answer : null;
  },
  with: (other) => referenceShop(other, settings),
});

const methodOf = (config: ShopConfig, id: string | undefined): ShippingMethod | undefined =>
  config.methods.find((method) => method.id === id);

/** The texts in quotes of the message. */
export const quotedIn = ({ message }: Finding): string[] =>
  [...message.matchAll(/"((?:[^"]|"(?=[^ ,.;:]))*)"/g)].map((match) => match[1] ?? '');

/** The configuration without the method's rules and threshold, so that the method has its base price. */
export function withBareMethod(config: ShopConfig, id: string, isFreeKept: boolean): ShopConfig {
  const bare = (method: ShippingMethod): ShippingMethod =>
    method.id === id
      ? { ...method, rules: [], freeShippingThreshold: isFreeKept ? method.freeShippingThreshold : null }
      : method;
  return { ...config, methods: config.methods.map(bare) };
}

/** The configuration without one occurrence of a pattern of a subzone. */
export function withoutPattern(config: ShopConfig, subzoneId: string, pattern: string): ShopConfig {
  const zones = config.zones.map((zone) => ({
    ...zone,
    subzones: zone.subzones.map((subzone) => {
      if (subzone.id !== subzoneId) return subzone;
      const patterns = splitPostalPatterns(subzone.postalCodes);
      const at = patterns.lastIndexOf(pattern);
      return { ...subzone, postalCodes: patterns.filter((_, index) => index !== at).join(',') };
    }),
  }));
  return { ...config, zones };
}

/** The conditions whose operands requests should vary to refute the finding. */
export function conditionsOf(config: ShopConfig, { code, record }: Finding): readonly Condition[] {
  switch (code) {
    case 'rule_never_matches':
      return methodOf(config, record.parentId)?.rules.find(({ id }) => id === record.id)?.conditions ?? [];
    case 'method_never_visible':
      return methodOf(config, record.id)?.rules.flatMap(({ conditions }) => conditions) ?? [];
    case 'cart_without_rates':
      return config.methods.flatMap(({ rules }) => rules.flatMap(({ conditions }) => conditions)).slice(0, 4);
    default:
      return [];
  }
}

type Evaluation = SimulateAnswer['methodEvaluations'][number];

const evaluationOf = (answer: SimulateAnswer, id: string | undefined): Evaluation | undefined =>
  answer.methodEvaluations.find(({ methodId }) => methodId === id);

const hasGroup = (answer: SimulateAnswer, groupName: string | undefined, config: ShopConfig): boolean => {
  const group = config.productGroups.find(({ name }) => name === groupName);
  return answer.methodEvaluations.some(({ productGroupId }) => productGroupId === group?.id);
};

/** Returns a test whether a request refutes the finding; made once, because it may compile another configuration. */
export function refuterOf(finding: Finding, shop: TestedShop): Refuter {
  const { config, simulate } = shop;
  const { code, record } = finding;
  const on =
    (refutes: (answer: SimulateAnswer) => boolean): Refuter =>
    (request, nowMs) => {
      const answer = simulate(request, nowMs);
      return answer !== null && refutes(answer);
    };
  const names = quotedIn(finding);
  switch (code) {
    case 'rule_never_matches':
      return on((answer) => ruleTrace(answer, finding)?.matched === true);
    case 'method_never_visible':
      return on((answer) => evaluationOf(answer, record.id)?.visible === true);
    case 'zone_never_matches':
      return on(({ zone }) => zone?.id === record.id);
    case 'subzone_never_matches':
      return either(
        on(({ zone }) => zone?.subzone?.id === record.id),
        matchRefuter(finding, shop),
      );
    case 'group_never_filled':
      return on((answer) => hasGroup(answer, record.name, config));
    case 'postal_pattern_never_wins': {
      const other = shop.with(withoutPattern(config, record.id, names[0] ?? '')).simulate;
      return either(
        (request, nowMs) => {
          const before = simulate(request, nowMs)?.zone;
          return JSON.stringify(before) !== JSON.stringify(other(request, nowMs)?.zone);
        },
        matchRefuter(finding, shop),
      );
    }
    case 'postal_pattern_impossible':
      return (request, nowMs) =>
        isWritten(request) &&
        matchesPattern(finding, shop, request) &&
        shop.simulate(request, nowMs)?.zone?.id === record.parentId;
    case 'cart_without_rates': {
      const cart = cartShown(finding, shop);
      return on((answer) => answer.rates.length > 0 && cartOf(answer) === cart);
    }
    case 'delivery_without_working_days':
      return on((answer) => evaluationOf(answer, record.id)?.rate?.minDeliveryDate !== undefined);
    case 'check_of_unknown_service':
      return on((answer) => answer.rates.some(({ serviceCode }) => serviceCode === names[0]));
    case 'zone_without_method':
      return on((answer) => answer.zone?.id === record.id && answer.methodEvaluations.length > 0);
    case 'group_without_method':
      return on((answer) => answer.zone?.name === names[1] && hasGroup(answer, record.name, config));
    case 'subzone_without_method':
      return on((answer) => answer.zone?.subzone?.id === record.id && hasGroup(answer, names[0], config));
    case 'zone_remainder_without_method':
      return on(
        ({ zone, ...answer }) =>
          zone?.id === record.id && zone.subzone === null && hasGroup({ zone, ...answer }, names[0], config),
      );
    case 'threshold_below_prices': {
      if (record.kind === 'blendedRate') {
        return on(({ blendedRates }) =>
          blendedRates.some(
            ({ blendedRateId, rate }) => blendedRateId === record.id && (rate?.totalPrice ?? 0) > 0,
          ),
        );
      }
      const bare = shop.with(withBareMethod(config, record.id, true)).simulate;
      return (request, nowMs) => {
        const answer = bare(request, nowMs);
        return answer !== null && (evaluationOf(answer, record.id)?.rate?.totalPrice ?? 0) > 0;
      };
    }
    default:
      return () => false;
  }
}

const either =
  (...refuters: readonly Refuter[]): Refuter =>
  (request, nowMs) =>
    refuters.some((refutes) => refutes(request, nowMs));

const WRITTEN: Readonly<Record<string, RegExp>> = {
  US: /^[0-9]{5}(-?[0-9]{4})?$/,
  DE: /^[0-9]{5}$/,
  FR: /^[0-9]{5}$/,
  GB: /^[A-Z]{1,2}[0-9][0-9A-Z]?( ?[0-9][A-Z]{2})?$/,
  JE: /^JE[0-9][0-9A-Z]?( ?[0-9][A-Z]{2})?$/,
};
/** Whether the code of a request is one as its country writes codes. */
const isWritten = ({ destination: { country, postalCode } }: SimulateRequest): boolean =>
  WRITTEN[country.toUpperCase()]?.test(postalCode ?? '') ?? false;

/** Whether the message says that no code at all can match the patterns. */
const isOfNoCode = ({ message }: Finding): boolean => message.includes('can match');

/** Whether the code of a request matches a pattern of the finding, as its country writes codes. */
function matchesPattern(finding: Finding, { config }: TestedShop, { destination }: SimulateRequest): boolean {
  const { code, record } = finding;
  const subzone = config.zones.flatMap(({ subzones }) => subzones).find(({ id }) => id === record.id);
  const patterns =
    code === 'subzone_never_matches'
      ? splitPostalPatterns(subzone?.postalCodes ?? '')
      : quotedIn(finding).slice(0, 1);
  const { postalCode } = destination;
  const country = destination.country.toUpperCase();
  const written = canonicalCode(country, postalCode ?? '');
  return patterns.some((pattern) => readPattern(country, pattern)(written) !== null);
}

/** Refutes "no code can match": a code in the zone matches. */
const matchRefuter =
  (finding: Finding, shop: TestedShop): Refuter =>
  (request, nowMs) =>
    isOfNoCode(finding) &&
    matchesPattern(finding, shop, request) &&
    shop.simulate(request, nowMs)?.zone?.id === finding.record.parentId;

/** The place of an answer and the groups of its cart that have methods there. */
const cartOf = ({ zone, methodEvaluations }: SimulateAnswer): string =>
  JSON.stringify([
    zone?.id,
    zone?.subzone?.id,
    [...new Set(methodEvaluations.map(({ productGroupId }) => productGroupId))].sort(),
  ]);

/** The same for the witness of the finding. */
function cartShown({ witness }: Finding, { simulate }: TestedShop): string | null {
  const answer = witness === null ? null : simulate(witness.request, Date.parse(witness.at));
  return answer === null ? null : cartOf(answer);
}

const ruleTrace = (answer: SimulateAnswer, { record }: Finding) =>
  evaluationOf(answer, record.parentId)?.ruleTraces.find(({ ruleId }) => ruleId === record.id);

/** Whether the finding's witness shows the defect. */
export function isShown(finding: Finding, shop: TestedShop): boolean {
  const { code, record, witness } = finding;
  if (witness === null) return true;
  const { request } = witness;
  const nowMs = Date.parse(witness.at);
  const { config } = shop;
  const answer = shop.simulate(request, nowMs);
  if (answer === null) return false;
  const refutes = refuterOf(finding, shop)(request, nowMs);
  const bareOf = (isFreeKept: boolean, at: SimulateRequest) => {
    const bare = shop.with(withBareMethod(config, record.id, isFreeKept)).simulate(at, nowMs);
    return bare === null ? undefined : evaluationOf(bare, record.id)?.rate?.totalPrice;
  };
  switch (code) {
    case 'subzone_never_matches':
    case 'postal_pattern_never_wins':
      return matchesPattern(finding, shop, request) !== isOfNoCode(finding) && !refutes;
    case 'rule_never_matches':
    case 'rule_unmatched': {
      const trace = ruleTrace(answer, finding);
      return trace?.matched === false && trace.conditions.some(({ matched }) => !matched);
    }
    case 'method_never_visible':
    case 'method_unseen':
      return evaluationOf(answer, record.id)?.visible === false;
    case 'tier_gap':
      return evaluationOf(answer, record.id)?.reason === 'outside_rate_table';
    case 'tier_price_falls':
      return isOddStep(methodOf(config, record.id), bareOf(false, request));
    case 'threshold_below_prices':
      return bareOf(true, request) === 0 && (bareOf(false, request) ?? 0) > 0;
    case 'duplicate_service_code': {
      const codes = answer.rates.map(({ serviceCode }) => serviceCode);
      return new Set(codes).size < codes.length;
    }
    case 'cart_without_rates': {
      const { zone, methodEvaluations, rates } = answer;
      const groupIds = new Set(methodEvaluations.map(({ productGroupId }) => productGroupId));
      const placeId = record.kind === 'zone' ? zone?.id : zone?.subzone?.id;
      return rates.length === 0 && groupIds.size > 1 && placeId === record.id;
    }
    case 'zone_without_method':
    case 'group_without_method':
    case 'subzone_without_method':
    case 'zone_remainder_without_method':
      return answer.zone !== null && answer.methodEvaluations.length === 0;
    default:
      return !refutes;
  }
}

/** True for the price of a tier after a dearer one or, in a table by total, of a tier that rises after a fall. */
function isOddStep(method: ShippingMethod | undefined, price: number | undefined): boolean {
  if (method === undefined || price === undefined) return false;
  const tiers = tiersOfRate(method) ?? [];
  const prices = tiers.map(({ priceCents }) => priceCents);
  return prices.some((each, i) => {
    const before = prices.slice(0, i);
    const isFall = i > 0 && each < (prices[i - 1] as number);
    const isRise =
      i > 1 &&
      each > (prices[i - 1] as number) &&
      before.some((other, j) => j > 0 && other < (before[j - 1] as number));
    return each === price && (method.rateType === 'by_price_table' ? isRise : isFall);
  });
}
