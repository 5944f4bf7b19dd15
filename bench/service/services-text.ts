/** A comparison and a load as tables, and as text for a terminal. */
import { formatCount, formatValue } from '../report/number-format.ts';
import { formatTable, left, right } from '../report/text-table.ts';
import type { LoadRecord } from './load-record.ts';
import type { Load } from './measure-services.ts';
import type { ServiceOptions } from './options.ts';
import { type CartDifference, datesOf, nameOf, type RateDifference, type Reply } from './replies.ts';

/** Differing carts that are shown with both answers. */
export const SHOWN_MAX = 20;
const BAR_WIDTH = 40;

const PERCENTILES = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['p99.9', 0.999],
  ['p99.99', 0.9999],
  ['longest', 1],
] as const;

/** What a reader must know of the percentiles. */
export const LATENCY_NOTE =
  '"From due" counts from when a request was due, also while the service kept all connections busy; "from sent" is what a ' +
  'client that waits for each answer counts. Refusals do not count. A request that waited in vain does, for as long as it did.';

/** Names of the services in tables: A, and B. */
export const letterOf = (at: number): string => 'AB'.charAt(at);

/** The first cell of a row is a name, the others are figures. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const asText = ({ columns: [name = '', ...figures], rows }: Table): string =>
  formatTable([left(name), ...figures.map(right)], rows);

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

export const differenceHeadline = (differing: readonly CartDifference[], carts: number): string =>
  differing.length === 0
    ? `The answers to ${formatCount(carts)} carts do not differ.`
    : `The answers to ${formatCount(differing.length)} of ${formatCount(carts)} carts differ.`;

/** How many rates of each service code differ, and by how many cents in all. */
export function differenceTable(differing: readonly CartDifference[]): Table {
  const all = differing.flatMap(({ differences }) => differences);
  const rows = [...new Set(all.map(({ service }) => service))].map((service) => {
    const own = all.filter((difference) => difference.service === service);
    const count = (isCounted: (difference: RateDifference) => boolean): string =>
      formatCount(own.filter(isCounted).length);
    return [
      service || '(refusals)',
      count(({ cents }) => cents > 0),
      count(({ cents }) => cents < 0),
      formatCount(sumOf(own.map(({ cents }) => cents))),
      ...(['lost', 'gained', 'dates', 'refusal'] as const).map((one) => count(({ kind }) => kind === one)),
    ];
  });
  return {
    columns: ['service code', 'dearer', 'cheaper', 'cents', 'lost', 'gained', 'other dates', 'refusals'],
    rows,
  };
}

export const replyText = (reply: Reply): string =>
  reply.rates === null
    ? nameOf(reply)
    : reply.rates
        .map((rate) => `${rate.serviceCode} ${rate.totalPrice} ${rate.currency} ${datesOf(rate)}`.trim())
        .join(', ') || 'no rates';

export function formatDifferences(differing: readonly CartDifference[], carts: number): string {
  const headline = differenceHeadline(differing, carts);
  if (differing.length === 0) return headline;
  const shown = differing.slice(0, SHOWN_MAX).map(({ name, replies, differences }) => {
    const answers = replies.map((reply, at) => `  ${letterOf(at)}: ${replyText(reply)}`);
    return [name, ...differences.map(({ text }) => `  ${text}`), ...answers].join('\n');
  });
  const more = differing.length - shown.length;
  if (more > 0) shown.push(`and ${formatCount(more)} more`);
  return [headline, asText(differenceTable(differing)), ...shown].join('\n\n');
}

/** What was asked, and what came. */
export const throughputTable = ({ records, perSecond }: Load): Table => ({
  columns: ['', 'asked', 'due', 'answered', 'refused', 'no answer', 'sent late, p99'],
  rows: records.map((record, at) => [
    letterOf(at),
    formatValue(perSecond, 'perSecond'),
    formatValue(record.due / record.seconds, 'perSecond'),
    formatValue(record.answersInTime / record.seconds, 'perSecond'),
    formatCount(sumOf(record.refusals.values())),
    formatCount(sumOf(record.unanswered.values())),
    formatValue(Math.max(...record.sentLateUs), 'us'),
  ]),
});

/** Why requests were refused or had no answer, and which fields are unknown; with how many answers. */
export const countTable = (records: readonly LoadRecord[]): Table => ({
  columns: ['', 'answers'],
  rows: records.flatMap(({ refusals, unanswered, unknownFields }, at) =>
    [...refusals, ...unanswered, ...unknownFields].map(([name, count]) => [
      `${letterOf(at)}: ${name}`,
      formatCount(count),
    ]),
  ),
});

/** With bars of the latencies from due, on a logarithmic scale. */
export function latencyTable(records: readonly LoadRecord[]): Table {
  const rows = PERCENTILES.flatMap(([name, share]) =>
    records.map(({ fromDue, fromSent }, at) => ({
      name: `${name} ${letterOf(at)}`,
      due: fromDue.quantileUs(share),
      sent: fromSent.quantileUs(share),
    })),
  );
  const known = rows.map(({ due }) => due).filter((us) => us > 0);
  const [low, high] = [Math.min(...known) / 2, Math.max(...known)];
  const barOf = (us: number): string =>
    us > 0 ? '#'.repeat(Math.round((BAR_WIDTH * Math.log(us / low)) / Math.log(high / low))) : '';
  return {
    columns: ['latency', 'from sent', 'from due', ''],
    rows: rows.map(({ name, due, sent }) => [
      name,
      formatValue(sent, 'us'),
      formatValue(due, 'us'),
      barOf(due).padEnd(BAR_WIDTH),
    ]),
  };
}

export function formatLoads(services: ServiceOptions['services'], load: Load): string {
  const names = services.map((service, at) => `${letterOf(at)}: ${service?.url}`);
  const counts = countTable(load.records);
  return [
    `\n${names.join('\n')}\n${load.description}`,
    asText(throughputTable(load)),
    asText(latencyTable(load.records)),
    ...(counts.rows.length === 0 ? [] : [asText(counts)]),
    `${LATENCY_NOTE}\n`,
  ].join('\n\n');
}
