/**
 * The goals of the service: times, and ratios of measurements of one run, on two cores. The report says for each
 * whether the run reached it.
 */
import { addedId } from './cluster/barrier.bench.ts';
import { clusterSimulateId } from './cluster/simulate.bench.ts';
import { nodeStartId } from './cluster/start.bench.ts';
import { clusterWritesId } from './cluster/writes.bench.ts';
import { growthId } from './growth/answer-task.ts';
import { processesId } from './http/processes.bench.ts';
import { shadowId } from './http/shadow.bench.ts';
import { evaluateId } from './micro/evaluate.bench.ts';
import { postalOwnersId } from './micro/postal-owners.bench.ts';
import type { Measurements, TargetOutcome } from './report/measurement.ts';
import { formatNumber } from './report/number-format.ts';
import { median, pairedRatios } from './report/statistics.ts';

export interface Target {
  readonly what: string;
  readonly direction: 'atLeast' | 'atMost';
  readonly value: number;
  /** What follows the value: `x`, ` s`. */
  readonly unit: string;
  /** null when the run did not measure it. */
  measure(run: Measurements): number | null;
}

/** Median of the ratios round by round. */
function ratio(run: Measurements, numerator: string, denominator: string): number | null {
  const ratios = pairedRatios(run.samples(numerator), run.samples(denominator));
  return ratios.length === 0 ? null : median(ratios);
}

const ratioOf =
  (numerator: string, denominator: string) =>
  (run: Measurements): number | null =>
    ratio(run, numerator, denominator);

const PER_SECOND = { ms: 1e3, us: 1e6 } as const;

const secondsOf =
  (id: string, unit: keyof typeof PER_SECOND = 'ms') =>
  (run: Measurements): number | null => {
    const measured = run.spread(id)?.median;
    return measured === undefined ? null : measured / PER_SECOND[unit];
  };

const throughput = (profile: string, server: string): string => `http/throughput/${profile}/${server}`;

export const TARGETS: readonly Target[] = [
  {
    what: '/api/simulate, small, against floor B with as many bytes',
    direction: 'atLeast',
    value: 0.8,
    unit: 'x',
    measure: ratioOf(throughput('small', 'ratewright'), throughput('small', 'floor-b')),
  },
  {
    what: '/api/simulate, typical, against floor B with as many bytes',
    direction: 'atLeast',
    value: 0.7,
    unit: 'x',
    measure: ratioOf(throughput('typical', 'ratewright'), throughput('typical', 'floor-b')),
  },
  {
    what: 'rates alone against full traces, typical',
    direction: 'atLeast',
    value: 1.3,
    unit: 'x',
    measure: ratioOf(throughput('typical', 'rates'), throughput('typical', 'ratewright')),
  },
  {
    what: 'typical against peer 1 (Fastify, json-rules-engine)',
    direction: 'atLeast',
    value: 20,
    unit: 'x',
    measure: ratioOf(throughput('typical', 'ratewright'), throughput('typical', 'peer-1')),
  },
  {
    what: 'typical against peer 2 (Fastify, plain TypeScript)',
    direction: 'atLeast',
    value: 3.5,
    unit: 'x',
    measure: ratioOf(throughput('typical', 'ratewright'), throughput('typical', 'peer-2')),
  },
  {
    what: 'evaluate and assemble against JSON.parse of the request, small',
    direction: 'atMost',
    value: 1,
    unit: 'x',
    measure: ratioOf(evaluateId('answer', 'small'), evaluateId('parse', 'small')),
  },
  {
    what: 'evaluate and assemble against JSON.parse of the request, typical',
    direction: 'atMost',
    value: 2,
    unit: 'x',
    measure: ratioOf(evaluateId('answer', 'typical'), evaluateId('parse', 'typical')),
  },
  {
    what: 'p99 at half of the peak load, against floor B at the same load',
    direction: 'atMost',
    value: 1.5,
    unit: 'x',
    measure: ratioOf('http/latency/typical/ratewright/p99', 'http/latency/typical/floor-b/p99'),
  },
  {
    what: '10,000 methods in other zones, against none',
    direction: 'atMost',
    value: 1.05,
    unit: 'x',
    measure: ratioOf(growthId('other-methods', 10_000), growthId('other-methods', 0)),
  },
  {
    what: 'reading one of 100,000 versions, against one of 10,000',
    direction: 'atMost',
    value: 1.25,
    unit: 'x',
    measure: ratioOf(growthId('read-version-typical', 100_000), growthId('read-version-typical', 10_000)),
  },
  {
    what: '100,000 postal patterns against 10: the look-up of a code',
    direction: 'atMost',
    value: 1.5,
    unit: 'x',
    measure: ratioOf(postalOwnersId('match', 100_000), postalOwnersId('match', 10)),
  },
  {
    what: '100,000 shops on disk against 1: answer of a loaded shop',
    direction: 'atMost',
    value: 1.05,
    unit: 'x',
    measure: ratioOf('store/cold-start/answer/100000', 'store/cold-start/answer/1'),
  },
  {
    what: '100,000 shops on disk: start to first answer',
    direction: 'atMost',
    value: 1.5,
    unit: ' s',
    measure: secondsOf('store/cold-start/first-answer/100000'),
  },
  {
    what: 'acknowledged writes, 256 in flight, against bare LMDB',
    direction: 'atLeast',
    value: 0.5,
    unit: 'x',
    measure: ratioOf('store/writes/actor/256', 'store/writes/lmdb/256'),
  },
  {
    what: 'heavy carts mixed in: p99 of the light ones, against none',
    direction: 'atMost',
    value: 1.2,
    unit: 'x',
    measure: ratioOf('http/heavy-carts/mixed/p99', 'http/heavy-carts/alone/p99'),
  },
  {
    what: 'an active changeset against none: throughput, typical',
    direction: 'atLeast',
    value: 0.95,
    unit: 'x',
    measure: ratioOf(shadowId('typical', 'active'), shadowId('typical', 'none')),
  },
  {
    what: 'the console in a new window: rates of the first cart',
    direction: 'atMost',
    value: 1,
    unit: ' s',
    measure: secondsOf('http/console/fresh'),
  },
  {
    what: 'two processes against one, load on the same cores, typical',
    direction: 'atLeast',
    value: 1.5,
    unit: 'x',
    measure: ratioOf(processesId('typical', 2), processesId('typical', 1)),
  },
  {
    what: 'a node of a cluster against no database: throughput, typical',
    direction: 'atLeast',
    value: 0.97,
    unit: 'x',
    measure: ratioOf(clusterSimulateId('typical', 'node'), clusterSimulateId('typical', 'embedded')),
  },
  {
    what: 'writes of one shop at a node, 256 in flight, against the embedded log',
    direction: 'atLeast',
    value: 0.4,
    unit: 'x',
    measure: ratioOf(clusterWritesId(1, 'node'), clusterWritesId(1, 'embedded')),
  },
  {
    what: '256 shops, 256 appends in flight, against one transaction a shop',
    direction: 'atLeast',
    value: 10,
    unit: 'x',
    measure: ratioOf(clusterWritesId(256, 'together'), clusterWritesId(256, 'apart')),
  },
  {
    what: '100 writes per second at one of three nodes: added, p50',
    direction: 'atMost',
    value: 0.015,
    unit: ' s',
    measure: secondsOf(addedId('p50'), 'us'),
  },
  {
    what: '... p99',
    direction: 'atMost',
    value: 0.08,
    unit: ' s',
    measure: secondsOf(addedId('p99'), 'us'),
  },
  {
    what: '100,000 shops in the database, empty mirror: start to first answer',
    direction: 'atMost',
    value: 1,
    unit: ' s',
    measure: secondsOf(nodeStartId('node', 100_000)),
  },
];

export function judge(target: Target, run: Measurements): TargetOutcome {
  const { what, direction, value, unit } = target;
  const measured = target.measure(run);
  const bound = `${direction === 'atLeast' ? 'at least' : 'at most'} ${value}${unit}`;
  if (measured === null || !Number.isFinite(measured)) {
    return { what, bound, measured: null, isReached: null };
  }
  return {
    what,
    bound,
    measured,
    isReached: direction === 'atLeast' ? measured >= value : measured <= value,
  };
}

export const formatMeasured = ({ measured, bound }: TargetOutcome): string =>
  measured === null ? '-' : `${formatNumber(measured)}${bound.endsWith(' s') ? ' s' : 'x'}`;
