/** Findings of the lint for a person: by severity, each with its sentence and a cart that shows it. */
import { customerTagsOf, type SimulateRequest } from '../../engine/domain/cart.ts';
import {
  FINDING_CODE_NAMES,
  FINDING_CODES,
  type PreviewWarnings,
  SEVERITIES,
  type Severity,
  type Witness,
} from '../../engine/domain/finding.ts';
import { counted, type Paint, type Style, type TextNode, treeLines } from './terminal.ts';

type Warning = PreviewWarnings['warnings'][number];

const STYLES: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };
/** Items of an example that are printed. */
const ITEMS_SHOWN_MAX = 3;

/** Every code with its severity and its meaning, as a Markdown table. */
export function findingsTable(): string {
  const rows = FINDING_CODE_NAMES.map((code) => {
    const { severity, meaning } = FINDING_CODES[code];
    return `| \`${code}\` | ${severity} | ${meaning} |\n`;
  });
  return `| code | severity | what |\n| --- | --- | --- |\n${rows.join('')}`;
}

/** At least one line; the last says how many findings are not shown. */
export function findingLines({ warnings, warningsOmitted }: PreviewWarnings, paint: Paint): string[] {
  const sections = SEVERITIES.map((severity): TextNode => {
    const found = warnings.filter((each) => each.severity === severity);
    const title = paint('bold', paint(STYLES[severity], `${severity} (${found.length})`));
    return { text: title, children: found.map((each) => findingNode(each, paint)) };
  });
  const lines = sections
    .filter(({ children = [] }) => children.length > 0)
    .flatMap((section) => treeLines(section, paint));
  const omitted = warningsOmitted.map(({ code, count }) => `... and ${count} more of ${code}`);
  return lines.length === 0 ? ['No findings.'] : [...lines, ...omitted];
}

function findingNode({ code, record, message, witness }: Warning, paint: Paint): TextNode {
  const { kind, id, name } = record;
  return {
    text: `${paint('bold', code)}: ${kind} ${name} ${paint('dim', `(${id ?? 'new'})`)}`,
    children: [
      { text: message },
      ...(witness === null ? [] : [{ text: `${paint('cyan', 'shown by')} ${witnessText(witness)}` }]),
    ],
  };
}

/** The request in brief: its notable fields, and its time. */
export function witnessText({ request, at }: Witness): string {
  const { destination, items, currency, locale, customer, orderTotals } = request;
  const place = Object.values(destination).filter((part) => part !== null && part !== '');
  const shown = items.slice(0, ITEMS_SHOWN_MAX).map(itemText);
  const more = items.length > shown.length ? [counted(items.length - shown.length, 'more item')] : [];
  const tags = customerTagsOf(customer);
  const rest = [
    ...[currency, locale].filter((part) => part != null),
    ...(customer?.id == null ? [] : [`customer ${customer.id}`]),
    ...(tags.length === 0 ? [] : [`customer tags ${tags.join(', ')}`]),
    ...(orderTotals?.totalPrice == null ? [] : [`order total ${orderTotals.totalPrice} cents`]),
  ];
  return `a cart to ${place.join(', ')}: ${[...shown, ...more, ...rest].join('; ')} (${at})`;
}

function itemText(item: SimulateRequest['items'][number]): string {
  const { sku, variantId, productId, vendor, name, properties, quantity, grams, price } = item;
  const label = sku ?? variantId ?? productId ?? name ?? vendor ?? 'any item';
  const sides = [item.length, item.width, item.height].filter((side) => side != null);
  const more = [
    ...(properties?.tag ? [`tags ${properties.tag}`] : []),
    ...(sides.length > 0 ? [`${sides.join(' x ')} mm`] : []),
    ...(item.requiresShipping === false ? ['not shipped'] : []),
  ];
  return [`${quantity} x ${label}`, `${grams} g`, `${price} cents`, ...more].join(', ');
}
