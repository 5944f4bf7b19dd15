/**
 * A simulate answer as a tree of text: the zone, the rates, then by group each method with the steps of its price, the
 * rules that matched, and the reasons why other rules did not and methods are hidden.
 */
import { CONDITION_TYPES, splitAlternatives } from '../../engine/domain/condition.ts';
import { moneyText } from '../../engine/domain/money-text.ts';
import { beginningOf } from '../../engine/domain/text.ts';
import type {
  Actual,
  DeliveryStep,
  ExplainedAnswer,
  LastChanged,
  PriceStep,
} from '../../engine/wire/explained-answer.ts';
import { counted, type Paint, type TextNode, treeLines } from './terminal.ts';

type Method = ExplainedAnswer['methodEvaluations'][number];
type Rule = Method['ruleTraces'][number];
type Condition = Rule['conditions'][number];
type Reasons = Pick<Method, 'whyNot' | 'whyNotLimited'>;
type Blended = ExplainedAnswer['blendedRates'][number];

export interface TraceContext {
  /** The currency of the amounts; an answer without rates does not name it. */
  readonly currency: string;
  /** Of the configuration that answered, in list order. */
  readonly productGroups: readonly { readonly id: string; readonly name: string }[];
}

export function traceText(answer: ExplainedAnswer, context: TraceContext, paint: Paint): string {
  const trace = new Trace(context, paint);
  const sections = [
    trace.zone(answer.zone),
    trace.clock(answer.at),
    trace.rates(answer.rates),
    ...trace.groups(answer.methodEvaluations),
    trace.blended(answer.blendedRates),
    trace.notConsidered(answer.notConsidered),
    trace.unread(answer.unread),
  ];
  const lines = sections
    .filter((section) => section !== null)
    .map((section) => treeLines(section, paint).join('\n'));
  return `${lines.join('\n\n')}\n`;
}

const words = (code: string): string => code.replaceAll('_', ' ');

class Trace {
  readonly #names: ReadonlyMap<string, string>;
  readonly #currency: string;
  readonly #paint: Paint;

  constructor({ currency, productGroups }: TraceContext, paint: Paint) {
    this.#currency = currency;
    this.#names = new Map(productGroups.map((group) => [group.id, group.name]));
    this.#paint = paint;
  }

  zone(zone: ExplainedAnswer['zone']): TextNode {
    if (zone === null) return { text: this.#title('Zone', this.#paint('yellow', 'none lists this country')) };
    const { subzone } = zone;
    const text = this.#title('Zone', `${zone.name} ${this.#id(zone.id)}`);
    if (subzone === null) return { text };
    return { text, children: [{ text: `Subzone ${subzone.name} ${this.#id(subzone.id)}` }] };
  }

  clock({ date, time, day, iso }: ExplainedAnswer['at']): TextNode {
    return { text: this.#title('Time', `${day} ${date} ${time} ${this.#paint('dim', `(${iso})`)}`) };
  }

  unread(paths: readonly string[]): TextNode | null {
    if (paths.length === 0) return null;
    const children = paths.map((path) => ({ text: this.#paint('yellow', path) }));
    return { text: this.#title('Fields that are not known', ''), children };
  }

  rates(rates: ExplainedAnswer['rates']): TextNode {
    const texts = rates.map(({ totalPrice, currency }) => moneyText(totalPrice, currency));
    const width = Math.max(0, ...texts.map((text) => text.length));
    const children = rates.map(({ serviceName, serviceCode, description }, index) => {
      const price = this.#paint('green', (texts[index] ?? '').padStart(width));
      const subtitle = description === '' ? '' : `, ${description}`;
      return { text: `${price}  ${serviceName}${subtitle} ${this.#paint('dim', `[${serviceCode}]`)}` };
    });
    return { text: this.#title('Rates', rates.length === 0 ? this.#paint('yellow', 'none') : ''), children };
  }

  /** One section for each group of the cart that has methods, in the order of the configuration. */
  groups(methods: readonly Method[]): TextNode[] {
    const inList = [...this.#names.keys()];
    const ids = [...new Set(methods.map((method) => method.productGroupId))].sort(
      (a, b) => inList.indexOf(a) - inList.indexOf(b),
    );
    return ids.map((id) => ({
      text: this.#title('Group', `${this.#groupName(id)} ${this.#id(id)}`),
      children: methods.filter((method) => method.productGroupId === id).map((each) => this.#method(each)),
    }));
  }

  blended(blendedRates: readonly Blended[]): TextNode | null {
    if (blendedRates.length === 0) return null;
    const children = blendedRates.map(({ name, blendedRateId, rate, reason, components }) => ({
      text: this.#headline(name, blendedRateId, rate, reason),
      children: components.map(({ productGroupId, methodId, price }) => {
        const amount = price === null ? this.#paint('red', 'no rate') : this.#amount(price);
        return {
          text: `${this.#groupName(productGroupId)}: ${amount}${methodId === null ? '' : ` by ${methodId}`}`,
        };
      }),
    }));
    return { text: this.#title('Blended rates', ''), children };
  }

  notConsidered(methods: ExplainedAnswer['notConsidered']): TextNode | null {
    if (methods.length === 0) return null;
    const children = methods.map(({ methodId, methodName, reason }) => ({
      text: `${methodName} ${this.#id(methodId)}: ${words(reason)}`,
    }));
    return { text: this.#title('Not considered', ''), children };
  }

  #title = (title: string, rest: string): string => `${this.#paint('bold', title)} ${rest}`.trimEnd();
  #id = (id: string): string => this.#paint('dim', `(${id})`);
  #amount = (amount: number): string => moneyText(amount, this.#currency);
  #groupName = (id: string): string => this.#names.get(id) ?? id;

  #headline(name: string, id: string, rate: Method['rate'], reason: string | null): string {
    const label = `${this.#paint('bold', name)} ${this.#id(id)}`;
    return rate === null
      ? `${this.#paint('red', '✘')} ${label}: ${this.#paint('red', words(reason ?? 'not visible'))}`
      : `${this.#paint('green', '✔')} ${label}: ${this.#paint('green', moneyText(rate.totalPrice, rate.currency))}`;
  }

  #method(method: Method): TextNode {
    const { methodName, methodId, rate, reason, steps, deliverySteps = [], ruleTraces } = method;
    const matched = ruleTraces.filter((rule) => rule.matched);
    const others = ruleTraces.filter((rule) => !rule.matched);
    return {
      text: this.#headline(methodName, methodId, rate, reason),
      children: [
        ...this.#whyNot(method, 'It would be offered at', 'no single change makes it visible'),
        ...steps.map((step) => this.#step(step)),
        ...deliverySteps.map(deliveryNode),
        ...matched.map((rule) => this.#rule(rule)),
        ...others.map((rule) => this.#rule(rule)),
      ],
    };
  }

  /** Empty where nothing was refused. */
  #whyNot({ whyNot, whyNotLimited }: Reasons, after: string, none: string): TextNode[] {
    if (whyNot === undefined) return [];
    if (whyNot === null) {
      return [
        { text: this.#paint('dim', whyNotLimited ? 'the search for a change reached its limit' : none) },
      ];
    }
    return [
      { text: `${this.#paint('cyan', whyNot.change.text)} ${after} ${this.#amount(whyNot.totalPrice)}.` },
    ];
  }

  #step(step: PriceStep): TextNode {
    const price =
      step.kind === 'base'
        ? this.#amount(step.after)
        : `${this.#amount(step.before)} -> ${this.#paint('bold', this.#amount(step.after))}`;
    const text = `${this.#stepText(step)}: ${price}${clampText(step)}`;
    const { lastChanged } = step;
    return lastChanged === null
      ? { text }
      : { text, children: [{ text: this.#paint('dim', changeText(lastChanged)) }] };
  }

  #stepText(step: PriceStep): string {
    switch (step.kind) {
      case 'base': {
        if (step.tier === undefined) return `base ${step.rateType}`;
        const { index, from, to, total } = step.tier;
        const shown = step.rateType === 'by_price_table' ? this.#amount : String;
        return `base ${step.rateType}, tier ${index} (${shown(from)} to ${to === null ? 'any' : `below ${shown(to)}`}) holds ${shown(total)}`;
      }
      case 'threshold':
        return `free from ${this.#amount(step.freeShippingThreshold)}, the ${step.orderTotal === undefined ? 'cart' : 'order'} has ${this.#amount(step.orderTotal ?? step.cartTotal)}`;
      case 'rule':
        return `rule ${step.ruleId} ${step.action}`;
    }
  }

  #rule(rule: Rule): TextNode {
    const { ruleId, name, action, matched, conditions, matchedItems = [] } = rule;
    const verdict = matched ? this.#paint('green', 'matched') : this.#paint('yellow', 'not matched');
    const items = matchedItems.map(({ index, name, sku }) => `${index} ${name || sku}`.trim());
    return {
      text: `rule ${name === '' ? ruleId : `"${name}" ${this.#id(ruleId)}`} ${action}: ${verdict}${conditions.length === 0 ? ' (always)' : ''}`,
      children: [
        ...conditions.map((condition) => this.#condition(condition)),
        ...(items.length === 0 ? [] : [{ text: `items: ${items.join(', ')}` }]),
        ...this.#whyNot(rule, 'It would match, and the method would cost', 'no single change makes it match'),
      ],
    };
  }

  #condition({ conditionType, operator, value, scope, matched, actual }: Condition): TextNode {
    const { subject, isMoney = false } = CONDITION_TYPES[conditionType];
    const where = subject === 'item' ? `, ${scope}` : '';
    const mark = matched ? this.#paint('green', 'yes') : this.#paint('red', 'no ');
    const expected = isMoney ? this.#amounts(splitAlternatives(value)) : `"${shortened(value)}"`;
    const compared = shortened(this.#actual(actual, isMoney));
    return { text: `${mark} ${conditionType} ${operator} ${expected}${where} - is ${compared}` };
  }

  #amounts = (values: readonly string[]): string =>
    shortened(values.map((each) => this.#amount(Number(each))).join(', '));

  #actual(actual: Actual, isMoney: boolean): string {
    if (typeof actual === 'number') return isMoney ? this.#amount(actual) : String(actual);
    if (typeof actual === 'string') return `"${actual}"`;
    return `[${actual.map((each) => this.#actual(each, isMoney)).join(', ')}]`;
  }
}

const SHOWN_LENGTH_MAX = 160;
const shortened = (value: string): string =>
  value.length <= SHOWN_LENGTH_MAX ? value : `${beginningOf(value, SHOWN_LENGTH_MAX)}...`;

/** The version that last changed what a step comes from, its author and its time. */
function changeText({ number, at, keyId, keyLabel, createdBy }: LastChanged): string {
  if (at === null) {
    return number === null ? 'not saved' : `last changed in version ${number}, which is no longer kept`;
  }
  const what =
    number === null ? 'changed in the changeset' : `last changed in version ${number} (${createdBy})`;
  return `${what} by ${keyLabel ?? keyId ?? 'the command line'}, ${at}`;
}

const clampText = (step: PriceStep): string =>
  'clamped' in step && step.clamped !== undefined ? ` (held at ${step.clamped.bound})` : '';

/** "handling: 2026-11-24 -> 2026-11-27 (1 working day, 2 days of the weekend, 1 holiday)" */
function deliveryNode(step: DeliveryStep): TextNode {
  const { kind, from, to } = step;
  if (step.kind === 'cutoff') return { text: `ordered after ${step.cutoff}: ${from} -> ${to}` };
  const parts = [
    counted(step.workingDays, 'working day'),
    ...(step.weekend > 0 ? [`${counted(step.weekend, 'day')} of the weekend`] : []),
    ...(step.holiday > 0 ? [counted(step.holiday, 'holiday')] : []),
  ];
  return { text: `${words(kind)}: ${from} -> ${to} (${parts.join(', ')})` };
}
