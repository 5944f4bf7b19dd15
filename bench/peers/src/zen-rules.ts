/**
 * Rates and rules as decision tables of GoRules Zen: for the methods of a zone and a group one graph with two tables for
 * each method, one that gives the base price and one that collects the rules that match. Zones, groups, blends and the
 * steps from a base price to a price stay in TypeScript.
 */
import { type ZenDecision, ZenEngine } from '@gorules/zen-engine';
import { serve } from './app.ts';
import type { CartGroup, CartItem } from './cart.ts';
import { alternativesOf, kindOf, NUMBER_OF } from './matchers.ts';
import type { Condition, Method } from './model.ts';
import { canonicalPart } from './postal.ts';
import { TABLES } from './prices.ts';
import { requestSchema } from './schemas.ts';
import {
  answerOf,
  type ConsideredMethod,
  type DecidedMethod,
  enabledRulesOf,
  readSituation,
  type Situation,
} from './simulate.ts';
import { ITEM_TYPES, type Kind, type PostalSubject, SUMS } from './subjects.ts';

const FUNCTIONS: Readonly<Record<string, string>> = {
  contains: 'contains',
  starts_with: 'startsWith',
  ends_with: 'endsWith',
};
const COMPARISONS: Readonly<Record<string, string>> = {
  greater_than: '>',
  greater_than_or_equal: '>=',
  less_than: '<',
  less_than_or_equal: '<=',
};
const QUANTIFIERS: Readonly<Record<string, string>> = { any: 'some', all: 'all', no: 'none' };

/** Tests of one alternative each; without `and`, because in a cell the engine reads `a or b and c` as `(a or b) and c`. */
function textTest(of: string, operator: string, value: string): string {
  const name = FUNCTIONS[operator];
  if (name !== undefined) return `${name}(${of}, ${JSON.stringify(value)})`;
  if (value === '*') return `${of} != ""`;
  return value.endsWith('*')
    ? `startsWith(${of}, ${JSON.stringify(value.slice(0, -1))})`
    : `${of} == ${JSON.stringify(value)}`;
}

/** A 1 in front, so that numbers of other lengths differ. */
const postalNumber = (digits: string): number => (/^\d+$/.test(digits) ? Number(`1${digits}`) : 0);

/** Patterns as the United States write them. */
function postalTest(of: string, operator: string, pattern: string): string {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(pattern) ?? [];
  return operator === 'equals' && from !== undefined && to !== undefined
    ? `${of}.number in [${postalNumber(from)}..${postalNumber(to)}]`
    : textTest(`${of}.code`, operator, canonicalPart('US', pattern));
}

function numberTest(of: string, operator: string, values: readonly number[]): string {
  const comparison = COMPARISONS[operator];
  if (comparison !== undefined) return `${of} ${comparison} ${values[0]}`;
  return `${of} in [${values.join(operator === 'between' ? '..' : ', ')}]`;
}

/** An expression about the value that `of` names. */
function testOf(of: string, kind: Kind, { operator, value }: Condition): string {
  const positive = operator === 'is_not_empty' ? 'is_empty' : operator.replace(/^not_/, '');
  if (positive !== operator) return `not (${testOf(of, kind, { operator: positive, value } as Condition)})`;
  if (operator === 'is_empty') {
    return kind === 'tags' ? `len(${of}) == 0` : `${kind === 'postal' ? `${of}.code` : of} == ""`;
  }
  const values = alternativesOf(value);
  const toNumber = NUMBER_OF[kind];
  if (toNumber !== undefined) return numberTest(of, operator, values.map(toNumber));
  const test = (name: string): string =>
    values
      .map((one) =>
        kind === 'postal' ? postalTest(name, operator, one) : textTest(name, operator, one.toLowerCase()),
      )
      .join(' or ');
  return kind === 'tags' ? `some(${of}, ${test('#')})` : test(of);
}

/** The value that a condition looks at, and what stands in the cell below it. */
function cellOf(condition: Condition): readonly [field: string, cell: string] {
  const { conditionType, scope } = condition;
  const kind = kindOf(conditionType);
  const [quantifier = ''] = scope.split('_');
  const whose = scope.endsWith('_group') ? 'group' : 'order';
  const sum = SUMS[conditionType];
  if (quantifier === 'sum' && sum !== undefined) return [`${whose}.${sum}`, testOf('$', kind, condition)];
  if (ITEM_TYPES[conditionType] === undefined) return [conditionType, testOf('$', kind, condition)];
  const test = testOf(`#.${conditionType}`, kind, condition);
  return [`${whose}.items`, `${QUANTIFIERS[quantifier]}($, ${test})`];
}

/** By column; `output` is what the row gives, a column without a cell is true. */
type TableRow = Readonly<Record<string, string>> & { readonly output: string };

/** A node of the graph; `fields` are what its columns look at. */
function tableOf(
  name: string,
  hitPolicy: 'first' | 'collect',
  fields: ReadonlyMap<string, string>,
  rows: readonly TableRow[],
) {
  const columns = [...fields];
  return {
    id: name,
    name,
    type: 'decisionTableNode',
    content: {
      hitPolicy,
      outputPath: name,
      inputs: columns.map(([id, field]) => ({ id, name: id, field })),
      outputs: [{ id: 'output', name: 'output', field: 'output' }],
      rules: rows.map((row) => ({ ...Object.fromEntries(columns.map(([id]) => [id, ''])), ...row })),
    },
  };
}

/** The price where no table of tiers gives it. */
function priceExpression({ rateType, config }: Method): string {
  switch (rateType) {
    case 'flat':
      return `${config.price}`;
    case 'by_items':
      return `${config.firstItemPrice} + (group.quantity - 1) * ${config.additionalItemPrice}`;
    case 'by_weight': {
      const steps = `ceil(max([0, group.grams - ${config.firstWeight}]) / ${config.additionalWeight})`;
      return `${config.firstPrice} + ${steps} * ${config.additionalPrice}`;
    }
    case 'percentage': {
      const share = `floor((group.price * ${Math.round(config.percentage * 100)} + 5000) / 10000)`;
      const most = config.maxPrice === undefined ? share : `min([${share}, ${config.maxPrice}])`;
      return `max([${most}, ${config.minPrice ?? 0}])`;
    }
    default:
      return '0';
  }
}

function rateTable(name: string, method: Method) {
  const [total, low, high] = TABLES[method.rateType] ?? ['quantity', '', ''];
  const tierRow = (tier: (typeof method.config.tiers)[number]): TableRow => {
    const [from, to] = [tier[low] ?? 0, tier[high] ?? null];
    return { total: to === null ? `>= ${from}` : `[${from}..${to})`, output: `${tier['price']}` };
  };
  const rows = low === '' ? [{ output: priceExpression(method) }] : method.config.tiers.map(tierRow);
  return tableOf(name, 'first', new Map([['total', `group.${total}`]]), rows);
}

/** A row for each rule, which gives its place; a second condition of a rule on the same value has a column of its own. */
function ruleTable(name: string, method: Method) {
  const fields = new Map<string, string>();
  const rows = enabledRulesOf(method).map(({ conditions }, at) => {
    const row: Record<string, string> & { output: string } = { output: String(at) };
    for (const [field, cell] of conditions.map(cellOf)) {
      let column = field;
      while (column in row) column += ' and';
      fields.set(column, field);
      row[column] = cell;
    }
    return row;
  });
  return tableOf(name, 'collect', fields, rows);
}

function decisionOf(engine: ZenEngine, methods: readonly Method[]): ZenDecision {
  const tables = methods.flatMap((method, at) => [
    rateTable(`rate${at}`, method),
    ruleTable(`rules${at}`, method),
  ]);
  const edge = (sourceId: string, targetId: string) => ({
    ...{ id: `${sourceId} ${targetId}`, type: 'edge' },
    ...{ sourceId, targetId },
  });
  const ends = [
    { id: 'cart', name: 'cart', type: 'inputNode' },
    { id: 'answer', name: 'answer', type: 'outputNode' },
  ];
  return engine.createDecision({
    nodes: [...ends, ...tables],
    edges: tables.flatMap(({ id }) => [edge('cart', id), edge(id, 'answer')]),
  });
}

const itemOf = (item: CartItem): object =>
  Object.fromEntries(Object.entries(ITEM_TYPES).map(([type, [, read]]) => [type, read(item)]));

function contextOf({ cart, subjects }: Situation, group: CartGroup): object {
  const { code } = subjects['destination_postal_code'] as PostalSubject;
  const items = new Map(cart.items.map((item) => [item, itemOf(item)]));
  return {
    ...subjects,
    destination_postal_code: { code, number: postalNumber(code) },
    order: { ...cart.totals, items: [...items.values()] },
    group: { ...group.totals, items: group.items.map((item) => items.get(item)) },
  };
}

interface Output {
  readonly output: number;
}

/** Serves rates; with `traces` also what the engine itself says of each table, in its shortest form. */
export async function serveZen(traces: boolean): Promise<void> {
  const engine = new ZenEngine();
  /** By the first of the methods: a method is always considered together with the same others. */
  const decisions = new Map<Method, ZenDecision>();
  const decide = async (situation: Situation, considered: readonly ConsideredMethod[]) => {
    const [{ method, group }] = considered as readonly [ConsideredMethod];
    const decision =
      decisions.get(method) ??
      decisionOf(
        engine,
        considered.map((each) => each.method),
      );
    decisions.set(method, decision);
    const context = contextOf(situation, group);
    const { result, trace } = await decision.evaluate(context, traces ? { trace: 'referenceString' } : null);
    const decided = considered.map((each, at): DecidedMethod => {
      const places = new Set((result[`rules${at}`] as readonly Output[]).map(({ output }) => output));
      return {
        ...each,
        basePrice: (result[`rate${at}`] as Output | null)?.output ?? null,
        traces: enabledRulesOf(each.method).map(({ id, action }, rule) => ({
          ...{ ruleId: id, action, conditions: [] },
          matched: places.has(rule),
        })),
      };
    });
    return { decided, trace };
  };
  await serve({
    schema: { body: requestSchema },
    async simulate(shop, request) {
      const situation = readSituation(shop, request, Date.now());
      if (situation === null) return JSON.stringify({ rates: [], zone: null });
      const byGroup = situation.cart.groups
        .map((group) => situation.methods.filter((each) => each.group === group))
        .filter((methods) => methods.length > 0);
      const found = await Promise.all(byGroup.map((methods) => decide(situation, methods)));
      const decided = new Map(found.flatMap((each) => each.decided.map((one) => [one.method, one])));
      const methods = situation.methods.map(({ method }) => decided.get(method) as DecidedMethod);
      const { rates, zone } = answerOf(shop, request, situation, methods);
      const text = JSON.stringify({ rates, zone });
      return traces ? `${text.slice(0, -1)},"traces":[${found.map(({ trace }) => trace)}]}` : text;
    },
  });
}
