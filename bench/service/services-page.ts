/** The report of `--url`: one HTML page that needs nothing from elsewhere. */
import { type Line, lineChart, type Ticks } from '../report/line-chart.ts';
import { formatCount, formatNumber, formatValue } from '../report/number-format.ts';
import { escapeText } from '../report/svg.ts';
import type { LoadRecord } from './load-record.ts';
import type { Load, ServicesReport } from './measure-services.ts';
import type { CartDifference } from './replies.ts';
import {
  countTable,
  differenceHeadline,
  differenceTable,
  LATENCY_NOTE,
  latencyTable,
  letterOf,
  replyText,
  SHOWN_MAX,
  type Table,
  throughputTable,
} from './services-text.ts';

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #8884}
th:first-child,td:first-child{text-align:left}pre{overflow:auto;background:#8881;padding:.6rem}svg{display:block;max-width:100%;height:auto}`;

const tag = (name: string, content: string): string => `<${name}>${content}</${name}>\n`;
const textIn = (name: string, content: string): string => tag(name, escapeText(content));

const tableOf = ({ columns, rows }: Table): string => {
  const row = (cell: string, cells: readonly string[]): string =>
    tag('tr', cells.map((text) => textIn(cell, text)).join(''));
  return rows.length === 0
    ? ''
    : tag('table', row('th', columns) + rows.map((cells) => row('td', cells)).join(''));
};

const withoutBars = ({ columns, rows }: Table): Table => ({
  columns: columns.slice(0, -1),
  rows: rows.map((cells) => cells.slice(0, -1)),
});

function differingCart({ name, cart, replies, differences }: CartDifference): string {
  const answers = replies.map((reply, at) => `${letterOf(at)}: ${replyText(reply)}`);
  const lines = [...differences.map(({ text }) => text), '', ...answers, '', JSON.stringify(cart, null, 1)];
  return tag(
    'details',
    textIn('summary', `${name}: ${differences[0]?.text}`) + textIn('pre', lines.join('\n')),
  );
}

function comparison(differing: readonly CartDifference[], carts: number): string {
  const shown = differing.slice(0, SHOWN_MAX);
  const rest = differing.length - shown.length;
  return [
    textIn('h2', differenceHeadline(differing, carts)),
    tableOf(differenceTable(differing)),
    ...shown.map(differingCart),
    rest > 0 ? textIn('p', `and ${formatCount(rest)} more`) : '',
  ].join('');
}

/** Further nines of the share stand at equal distances. */
const NINES: Ticks = [
  [Math.log10(2), 'p50'],
  [1, 'p90'],
  [2, 'p99'],
  [3, 'p99.9'],
  [4, 'p99.99'],
];
const STEPS = Array.from({ length: 75 }, (_, step) => Math.log10(2) + step * 0.05);

/** Two lines for each service; latencies in microseconds, drawn by their order of magnitude. */
function latencyChart(
  records: readonly LoadRecord[],
  title: string,
  x: Ticks,
  [solid, dashed]: readonly [string, string],
  pointsOf: (record: LoadRecord) => readonly (readonly [x: number, solid: number, dashed: number])[],
): string {
  const lines = records.flatMap((record, at) =>
    [solid, dashed].map((name, which): Line => {
      const points = pointsOf(record).map(
        (point) => [point[0], Math.log10(point[which + 1] as number)] as const,
      );
      const style = `line${at === 0 ? '' : ' second'}${which === 0 ? '' : ' dashed'}`;
      return {
        name: `${letterOf(at)}, ${name}`,
        style,
        points: points.filter(([, us]) => Number.isFinite(us)),
      };
    }),
  );
  const all = lines.flatMap(({ points }) => points.map(([, us]) => us));
  const [low, high] = [Math.floor(Math.min(...all, 8)), Math.ceil(Math.max(...all, 1))];
  const y = Array.from({ length: Math.max(2, high - low + 1) }, (_, at) => low + at);
  return lineChart({ title, lines, x, y: y.map((power) => [power, formatValue(10 ** power, 'us')]) });
}

function loadOf(load: Load): string {
  const { records } = load;
  const seconds = records[0]?.seconds ?? 0;
  const times = [0, 0.25, 0.5, 0.75, 1].map((share) => share * seconds);
  return [
    textIn('h2', 'Load'),
    textIn('p', load.description),
    tableOf(throughputTable(load)),
    latencyChart(
      records,
      'Latency by percentile',
      NINES,
      ['from due', 'from sent'],
      ({ fromDue, fromSent }) =>
        STEPS.map((nines) => {
          const share = 1 - 10 ** -nines;
          return [nines, fromDue.quantileUs(share), fromSent.quantileUs(share)];
        }),
    ),
    latencyChart(
      records,
      'Latency from due, by when requests were due',
      times.map((time) => [time, `${formatNumber(time)} s`]),
      ['p50', 'longest'],
      ({ slices, sliceSeconds }) =>
        slices.map((slice, at) => [(at + 0.5) * sliceSeconds, slice.quantileUs(0.5), slice.maxUs]),
    ),
    tableOf(withoutBars(latencyTable(records))),
    textIn('p', LATENCY_NOTE),
    tableOf(countTable(records)),
  ].join('');
}

export function servicesPage({ services, startedAt, carts, differing, load }: ServicesReport): string {
  const names = services.map((service, at) => textIn('li', `${letterOf(at)}: ${service?.url}`));
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(services[0].url)}</title><style>${STYLE}</style></head>
<body>
<h1>Simulations</h1>
<ul>${names.join('')}</ul>
<p>${startedAt.toISOString()}, ${formatCount(carts)} carts</p>
${differing === null ? '' : comparison(differing, carts)}
${load === null ? '' : loadOf(load)}
</body>
</html>
`;
}
