/** A simulate answer as text for a person: zone, rates, and every method with its price or its reason. */
import type { SimulateAnswer } from '../domain/answer.ts';
import { CONDITION_TYPES } from '../domain/condition.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';

type Method = SimulateAnswer['methodEvaluations'][number];
type Blended = SimulateAnswer['blendedRates'][number];
type Rate = SimulateAnswer['rates'][number];
type RuleTrace = Method['ruleTraces'][number];
type ConditionTrace = RuleTrace['conditions'][number];

/** Several lines; `config` is the configuration that answered, for the names of its groups. */
export function traceText(answer: SimulateAnswer, config: PlacedConfig): string {
  const names = new Map(config.productGroups.map((group) => [group.id, group.name]));
  const groupName = (id: string): string => names.get(id) ?? id;
  const lines = [
    `Zone: ${zoneText(answer.zone)}`,
    `Groups: ${groupsText(answer, config)}`,
    '',
    'Rates',
    ...orNone(answer.rates.map((rate) => `  ${priceText(rate)}  ${rate.serviceName} [${rate.serviceCode}]`)),
    '',
    'Methods',
    ...orNone(answer.methodEvaluations.flatMap((method) => methodLines(method, groupName))),
  ];
  if (answer.blendedRates.length > 0) {
    lines.push('', 'Blended rates', ...answer.blendedRates.flatMap((rate) => blendedLines(rate, groupName)));
  }
  return `${lines.join('\n')}\n`;
}

const orNone = (lines: readonly string[]): readonly string[] => (lines.length > 0 ? lines : ['  none']);

function zoneText(zone: SimulateAnswer['zone']): string {
  if (zone === null) return 'none lists this country';
  const subzone = zone.subzone === null ? '' : `, subzone ${zone.subzone.name} (${zone.subzone.id})`;
  return `${zone.name} (${zone.id})${subzone}`;
}

/** The groups of the cart for which there is anything to say, in list order. */
function groupsText({ methodEvaluations, blendedRates }: SimulateAnswer, config: PlacedConfig): string {
  const ids = new Set(
    [...methodEvaluations, ...blendedRates.flatMap((rate) => rate.components)].map(
      (part) => part.productGroupId,
    ),
  );
  const inCart = config.productGroups.filter((group) => ids.has(group.id));
  return inCart.map((group) => group.name).join(', ') || 'none has a method here';
}

/** Cents with two decimals, aligned for prices up to 99,999.99. */
const centsText = (cents: number): string => (cents / 100).toFixed(2);
const priceText = (rate: Rate): string => `${centsText(rate.totalPrice).padStart(8)} ${rate.currency}`;

function methodLines(method: Method, groupName: (id: string) => string): string[] {
  const verdict = method.rate === null ? (method.reason ?? 'not visible') : priceText(method.rate).trim();
  const head = `  ${method.methodName} (${method.methodId}), ${groupName(method.productGroupId)}: ${verdict}`;
  return [head, ...method.ruleTraces.flatMap(ruleLines)];
}

function ruleLines(rule: RuleTrace): string[] {
  const lines = [
    `      rule ${rule.ruleId} ${rule.action}: ${rule.matched ? 'matched' : 'not matched'}`,
    ...rule.conditions.map(conditionLine),
  ];
  if (rule.matchedItems !== undefined && rule.matchedItems.length > 0) {
    const items = rule.matchedItems.map(({ index, name, sku }) => `${index} ${name || sku}`.trim());
    lines.push(`          items: ${items.join(', ')}`);
  }
  return lines;
}

function conditionLine({ conditionType, operator, value, scope, matched }: ConditionTrace): string {
  const isOfItems = CONDITION_TYPES[conditionType].subject === 'item';
  const where = isOfItems ? `, ${scope}` : '';
  return `        ${matched ? 'yes' : 'no '}  ${conditionType} ${operator} "${value}"${where}`;
}

function blendedLines(blended: Blended, groupName: (id: string) => string): string[] {
  const verdict = blended.rate === null ? (blended.reason ?? 'not visible') : priceText(blended.rate).trim();
  const parts = blended.components.map(({ productGroupId, methodId, price }) => {
    const amount = price === null ? 'no rate' : centsText(price);
    return `        ${groupName(productGroupId)}: ${amount}${methodId === null ? '' : ` by ${methodId}`}`;
  });
  return [`  ${blended.name} (${blended.blendedRateId}): ${verdict}`, ...parts];
}
