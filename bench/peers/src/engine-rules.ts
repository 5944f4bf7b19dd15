/**
 * Rules decided by json-rules-engine: one engine for the methods of a zone and a group, facts computed once
 * per request, an operator for each question that a condition can ask.
 */
import { Engine, type RuleResult } from 'json-rules-engine';
import type { CartGroup, CartItem } from './cart.ts';
import type { Matcher } from './matchers.ts';
import type { Method, RuleTrace } from './model.ts';
import { type PreparedCondition, type PreparedRule, prepareRule, quantify, traceOf } from './rule-traces.ts';
import type { ConsideredMethod, DecidedMethod, Situation } from './simulate.ts';
import { enabledRulesOf } from './simulate.ts';
import type { Subject } from './subjects.ts';

/** Prepared conditions by the text that stands as `value` in the engine's condition. */
type ConditionTable = Map<
  string,
  { readonly matches: Matcher; readonly ofItem: (item: CartItem) => Subject }
>;

/** The engine leaves the outcome of each condition on its own copy of it. */
const isMatch = (condition: object): boolean => 'result' in condition && condition.result === true;

const NOTHING = (): Subject => '';

function factOf({ condition, ofItem, quantifier, isInGroup }: PreparedCondition): string {
  if (ofItem !== null) return isInGroup ? 'groupItems' : 'orderItems';
  if (quantifier === 'sum' && condition.conditionType.startsWith('product_')) {
    return `${isInGroup ? 'group' : 'order'}:${condition.conditionType}`;
  }
  return condition.conditionType;
}

class MethodsEngine {
  readonly #engine = new Engine();
  readonly #conditions: ConditionTable = new Map();
  /** In the order of the methods and their rules. */
  readonly #rules: readonly (readonly PreparedRule[])[];

  constructor(methods: readonly Method[]) {
    this.#rules = methods.map((method) => enabledRulesOf(method).map(prepareRule));
    this.#addOperators();
    for (const prepared of this.#rules.flat()) this.#addRule(prepared);
  }

  #addOperators(): void {
    const known = this.#conditions;
    this.#engine.addOperator(
      'matches',
      (subject: Subject, key: string) => known.get(key)?.matches(subject) === true,
    );
    for (const quantifier of ['any', 'all', 'no'] as const) {
      this.#engine.addOperator(quantifier, (items: readonly CartItem[], key: string) => {
        const { matches, ofItem } = known.get(key) ?? { matches: () => false, ofItem: NOTHING };
        return quantify(quantifier, items, (item) => matches(ofItem(item)));
      });
    }
  }

  #addRule({ rule, conditions }: PreparedRule): void {
    const all = conditions.map((prepared) => {
      const { conditionType, operator, value } = prepared.condition;
      const key = `${conditionType} ${operator} ${value}`;
      this.#conditions.set(key, { matches: prepared.matches, ofItem: prepared.ofItem ?? NOTHING });
      return {
        fact: factOf(prepared),
        operator: prepared.ofItem === null ? 'matches' : prepared.quantifier,
        value: key,
      };
    });
    this.#engine.addRule({ name: rule.id, conditions: { all }, event: { type: rule.action } });
  }

  async decide(situation: Situation, group: CartGroup): Promise<readonly (readonly RuleTrace[])[]> {
    const { cart, subjects } = situation;
    const { results, failureResults } = await this.#engine.run({
      ...subjects,
      orderItems: cart.items,
      groupItems: group.items,
      'order:product_weight': cart.totals.grams,
      'order:product_price': cart.totals.price,
      'order:product_quantity': cart.totals.quantity,
      'group:product_weight': group.totals.grams,
      'group:product_price': group.totals.price,
      'group:product_quantity': group.totals.quantity,
    });
    const byRule = new Map<string, RuleResult>();
    for (const result of results) byRule.set(result.name, result);
    for (const result of failureResults) byRule.set(result.name, result);
    return this.#rules.map((rules) =>
      rules.map((prepared) => {
        const { conditions } = byRule.get(prepared.rule.id) as RuleResult;
        const outcomes = 'all' in conditions ? conditions.all.map(isMatch) : [];
        return traceOf(prepared, outcomes, situation, group);
      }),
    );
  }
}

export class EngineRules {
  /** By the first of the methods: a method is always considered together with the same others. */
  readonly #engines = new Map<Method, MethodsEngine>();

  async decide(situation: Situation): Promise<readonly DecidedMethod[]> {
    const byGroup = new Map<CartGroup, ConsideredMethod[]>();
    for (const considered of situation.methods) {
      const siblings = byGroup.get(considered.group);
      if (siblings === undefined) byGroup.set(considered.group, [considered]);
      else siblings.push(considered);
    }
    const traces = new Map<Method, readonly RuleTrace[]>();
    await Promise.all(
      [...byGroup].map(async ([group, considered]) => {
        const methods = considered.map(({ method }) => method);
        const decided = await this.#engineOf(methods).decide(situation, group);
        methods.forEach((method, at) => {
          traces.set(method, decided[at] ?? []);
        });
      }),
    );
    return situation.methods.map((considered) => ({
      ...considered,
      traces: traces.get(considered.method) ?? [],
    }));
  }

  #engineOf(methods: readonly Method[]): MethodsEngine {
    const first = methods[0] as Method;
    let engine = this.#engines.get(first);
    if (engine === undefined) {
      engine = new MethodsEngine(methods);
      this.#engines.set(first, engine);
    }
    return engine;
  }
}
