/** Bars: answers per second by profile, the service beside its floors and peers. */
import type { Measurements } from './measurement.ts';
import { formatNumber } from './number-format.ts';
import type { Spread } from './statistics.ts';
import { bar, svg, text } from './svg.ts';

const WIDTH = 760;
const LABEL_WIDTH = 190;
const VALUE_WIDTH = 90;
const ROW = 20;
const TOP = 56;
const GAP = 14;

const SERVERS: readonly (readonly [id: string, label: string, style: string])[] = [
  ['ratewright', 'Ratewright', 'own'],
  ['floor-a', 'floor A: read, static answer', 'floor'],
  ['floor-b', 'floor B: and JSON.parse', 'floor'],
  ['peer-1', 'Fastify, json-rules-engine', 'peer'],
  ['peer-2', 'Fastify, plain TypeScript', 'peer'],
  ['rates', 'Ratewright, rates alone', 'own'],
  ['peer-3', 'Fastify, Zen, rates alone', 'peer'],
  ['peer-4', 'Fastify, Zen, its traces', 'peer'],
];

interface Row {
  readonly label: string;
  readonly style: string;
  readonly spread: Spread;
}

/** Rows of each profile in the order of the run; `ids` are `http/throughput/<profile>/<server>`. */
function rowsByProfile(run: Measurements): ReadonlyMap<string, readonly Row[]> {
  const profiles = new Set<string>();
  for (const id of run.ids()) {
    const profile = /^http\/throughput\/([^/]+)\//.exec(id)?.[1];
    if (profile !== undefined) profiles.add(profile);
  }
  return new Map(
    [...profiles].map((profile) => {
      const rows = SERVERS.flatMap(([id, label, style]): Row[] => {
        const spread = run.spread(`http/throughput/${profile}/${id}`);
        return spread === null ? [] : [{ label, style, spread }];
      });
      return [profile, rows];
    }),
  );
}

/** null when the run did not measure throughput. `caption` says where and when. */
export function throughputChart(run: Measurements, caption: string): string | null {
  const profiles = rowsByProfile(run);
  const all = [...profiles.values()].flat();
  if (all.length === 0) return null;
  const fastest = Math.max(...all.map(({ spread }) => spread.median));
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / fastest;
  const parts = [
    text(12, 22, 'Simulations answered per second over HTTP, one core for the server', 'title'),
    text(12, 40, caption, 'quiet'),
  ];
  let y = TOP;
  for (const [profile, rows] of profiles) {
    y += GAP;
    parts.push(text(12, y, profile, 'strong'));
    for (const { label, style, spread } of rows) {
      y += ROW;
      const width = spread.median * scale;
      parts.push(text(LABEL_WIDTH - 8, y, label, 'end'), bar(LABEL_WIDTH, y - 12, width, 15, style));
      parts.push(text(LABEL_WIDTH + width + 6, y, formatNumber(spread.median)));
    }
    y += GAP;
  }
  return svg(WIDTH, y + 6, 'Simulations per second by profile and server', parts);
}
