/**
 * The goals of the service: times, and ratios of measurements of one run, on two cores. The report says for each
 * whether the run reached it.
 */
import { addedId } from './cluster/barrier.bench.ts';
import { clusterSimulateId } from './cluster/simulate.bench.ts';
import { nodeStartId } from './cluster/start.bench.ts';
import { clusterWritesId } from './cluster/writes.bench.ts';
import { growthId } from './growth/answer-task.ts';
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

const throughput = (profile: string, server: string): string => `http/throughput/${profile}/${server}`;

/** The median of the ratios of two measurements round by round. */
const ratioGoal =
  (direction: Target['direction']) =>
  (what: string, value: number, numerator: string, denominator: string): Target => ({
    what,
    direction,
    value,
    unit: 'x',
    measure: (run) => {
      const ratios = pairedRatios(run.samples(numerator), run.samples(denominator));
      return ratios.length === 0 ? null : median(ratios);
    },
  });
const atLeast = ratioGoal('atLeast');
const atMost = ratioGoal('atMost');

const PER_SECOND = { ms: 1e3, us: 1e6 } as const;

/** `unit` is that of the measurement. */
const withinSeconds = (
  what: string,
  value: number,
  id: string,
  unit: keyof typeof PER_SECOND = 'ms',
): Target => ({
  what,
  direction: 'atMost',
  value,
  unit: ' s',
  measure: (run) => {
    const measured = run.spread(id)?.median;
    return measured === undefined ? null : measured / PER_SECOND[unit];
  },
});

export const TARGETS: readonly Target[] = [
  atLeast(
    '/api/simulate, small, against floor B with as many bytes',
    0.8,
    throughput('small', 'ratewright'),
    throughput('small', 'floor-b'),
  ),
  atLeast(
    '/api/simulate, typical, against floor B with as many bytes',
    0.7,
    throughput('typical', 'ratewright'),
    throughput('typical', 'floor-b'),
  ),
  atLeast(
    'rates alone against full traces, typical',
    1.3,
    throughput('typical', 'rates'),
    throughput('typical', 'ratewright'),
  ),
  atLeast(
    'typical against peer 1 (Fastify, json-rules-engine)',
    20,
    throughput('typical', 'ratewright'),
    throughput('typical', 'peer-1'),
  ),
  atLeast(
    'typical against peer 2 (Fastify, plain TypeScript)',
    3.5,
    throughput('typical', 'ratewright'),
    throughput('typical', 'peer-2'),
  ),
  atMost(
    'evaluate and assemble against JSON.parse of the request, small',
    1,
    evaluateId('answer', 'small'),
    evaluateId('parse', 'small'),
  ),
  atMost(
    'evaluate and assemble against JSON.parse of the request, typical',
    2,
    evaluateId('answer', 'typical'),
    evaluateId('parse', 'typical'),
  ),
  atMost(
    'p99 at half of the peak load, against floor B at the same load',
    1.5,
    'http/latency/typical/ratewright/p99',
    'http/latency/typical/floor-b/p99',
  ),
  atMost(
    '4,000 methods in other zones, against none',
    1.05,
    growthId('other-methods', 4_000),
    growthId('other-methods', 0),
  ),
  atMost(
    'reading one of 100,000 versions, against one of 10,000',
    1.25,
    growthId('read-version-typical', 100_000),
    growthId('read-version-typical', 10_000),
  ),
  atMost(
    '100,000 postal patterns against 10: the look-up of a code',
    1.5,
    postalOwnersId('match', 100_000),
    postalOwnersId('match', 10),
  ),
  atMost(
    '100,000 shops on disk against 1: answer of a loaded shop',
    1.05,
    'store/cold-start/answer/100000',
    'store/cold-start/answer/1',
  ),
  withinSeconds('100,000 shops on disk: start to first answer', 1.5, 'store/cold-start/first-answer/100000'),
  atLeast(
    'acknowledged writes, 256 in flight, against bare LMDB',
    0.5,
    'store/writes/actor/256',
    'store/writes/lmdb/256',
  ),
  atMost(
    'heavy carts mixed in: p99 of the light ones, against none',
    1.2,
    'http/heavy-carts/mixed/p99',
    'http/heavy-carts/alone/p99',
  ),
  atLeast(
    'an active changeset against none: throughput, typical',
    0.95,
    shadowId('typical', 'active'),
    shadowId('typical', 'none'),
  ),
  withinSeconds('the console in a new window: first page with its figures', 1, 'http/console/first'),
  withinSeconds('the console in a new window: rates of the first cart', 1, 'http/console/tester'),
  atLeast(
    'a node of a cluster against no database: throughput, typical',
    0.97,
    clusterSimulateId('typical', 'node'),
    clusterSimulateId('typical', 'embedded'),
  ),
  atLeast(
    'writes of one shop at a node, 256 in flight, against the embedded log',
    0.4,
    clusterWritesId(1, 'node'),
    clusterWritesId(1, 'embedded'),
  ),
  atLeast(
    '256 shops, 256 appends in flight, against one transaction a shop',
    10,
    clusterWritesId(256, 'together'),
    clusterWritesId(256, 'apart'),
  ),
  withinSeconds('100 writes per second at one of three nodes: added, p50', 0.015, addedId('p50'), 'us'),
  withinSeconds('... p99', 0.08, addedId('p99'), 'us'),
  withinSeconds(
    '100,000 shops in the database, empty mirror: start to first answer',
    1,
    nodeStartId('node', 100_000),
  ),
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
