/**
 * From which cost a simulation is worth a worker thread: what it costs the event loop to answer it and to hand it
 * over, how long the answer takes both ways, and what the service estimated. Its threshold is an estimate, so the
 * break-even is also told in what is estimated there.
 */
import { HEAVY_LIMITS } from '../../src/worker/heavy-work.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { scriptPath } from '../project-paths.ts';
import { formatNumber, formatValue } from '../report/number-format.ts';
import { median, pairedRatios } from '../report/statistics.ts';
import { breakEven, ratioAt, type SizePoint } from './break-even.ts';
import type { HandOverPlan, HandOverResult, SizeResult, WaySamples } from './hand-over-process.ts';

/**
 * How many times as long as on the event loop an answer of a thread may take. No bound lies between 1.5 and 1.9,
 * because the ratio varies between them from 0.4 to 3 ms, so a break-even would be a matter of chance.
 */
const LATER = [2, 1] as const;

type Measure = keyof WaySamples;
type Cost = 'measured' | 'estimated';

/**
 * Handed over against answered here. Medians of all rounds: a break-even is where the ratio stays below a bound, and
 * one disturbed sample of a round would move that to another size.
 */
const pointsOf = (sizes: readonly SizeResult[], what: Measure, by: Cost): readonly SizePoint[] =>
  sizes.map(({ estimateUs, here, handed }) => ({
    cost: by === 'estimated' ? estimateUs : median(here.tookUs),
    ratio: median(pairedRatios(handed[what], here[what])),
  }));

function addSizes(results: Rounds, sizes: readonly SizeResult[], round: number): void {
  for (const { name, description, estimateUs, here, handed } of sizes) {
    const add = (what: string, label: string, us: number | undefined): void =>
      results.add(`worker/hand-over/${what}/${name}`, `${description}: ${label}`, 'us', us as number);
    add('busy-here', 'loop busy, answered there', here.busyUs[round]);
    add('busy-handed', 'loop busy, handed over', handed.busyUs[round]);
    add('took-here', 'answer of the loop', here.tookUs[round]);
    add('took-handed', 'answer of a thread', handed.tookUs[round]);
    const share = estimateUs / (here.tookUs[round] as number);
    results.add(`worker/hand-over/estimate/${name}`, `${description}: estimated / measured`, 'ratio', share);
  }
}

const CROSSINGS: readonly (readonly [name: string, what: Measure, bound: number, label: string])[] = [
  ['busy', 'busyUs', 1, 'the loop is busy for less'],
  ...LATER.map(
    (bound) => [`took-${bound}`, 'tookUs', bound, `the answer takes no more than ${bound}x`] as const,
  ),
];

/** Records each break-even that lies below the largest size; notes the others. */
function recordBreakEvens(part: PartRun, sizes: readonly SizeResult[]): void {
  for (const [name, what, bound, label] of CROSSINGS) {
    for (const by of ['measured', 'estimated'] as const) {
      const us = breakEven(pointsOf(sizes, what, by), bound);
      if (us !== null) {
        part.record({
          id: `worker/hand-over/break-even/${name}/${by}`,
          label: `handed over, ${label} from (${by})`,
          unit: 'us',
          samples: [us],
        });
      } else if (by === 'measured') part.note(`No size was large enough that ${label}.`);
    }
  }
}

/** What the default is derived from: a bound from above, and the break-even from below. */
function noteDefault(part: PartRun, sizes: readonly SizeResult[]): void {
  const { heavyMicroseconds } = HEAVY_LIMITS;
  const atDefault = (what: Measure): string =>
    `${formatNumber(ratioAt(pointsOf(sizes, what, 'estimated'), heavyMicroseconds))}x`;
  const measured = sizes.map(({ estimateUs, here }) => ({
    cost: estimateUs,
    ratio: median(here.tookUs) / estimateUs,
  }));
  const takesUs = ratioAt(measured, heavyMicroseconds) * heavyMicroseconds;
  part.note(
    `A request is handed over from an estimate of ${heavyMicroseconds.toLocaleString('en-US')} us: what a light request ` +
      'may have to wait behind one that is not handed over. Lower ones are worth it down to the break-even of the ' +
      'loop (estimated), at the price of later answers.',
  );
  part.note(
    `A request estimated at the default takes ${formatValue(takesUs, 'us')}; handed over, it keeps the loop busy ` +
      `for ${atDefault('busyUs')} as long and its answer takes ${atDefault('tookUs')} as long.`,
  );
}

export const handOverPart: Part = {
  id: 'worker/hand-over',
  title: 'Simulations answered on the event loop and in a warm worker thread, one at a time',
  async run(part) {
    const { rounds, microMs, microWarmupMs } = part.effort;
    const plan: HandOverPlan = {
      dataFolder: part.folders.make('hand-over'),
      rounds,
      sampleMs: microMs,
      warmupMs: microWarmupMs * 5,
    };
    part.step(`${rounds} rounds`);
    // Not pinned to one core, so that the thread has the other one.
    const child = part.children.startNode(
      'hand-over',
      scriptPath('worker/hand-over-process.js'),
      [JSON.stringify(plan)],
      { role: 'any', hasChannel: true },
    );
    const { sizes, isProcessorTime } = (await child.message()) as HandOverResult;
    const results = new Rounds();
    for (let round = 0; round < rounds; round++) addSizes(results, sizes, round);
    results.recordTo(part);
    recordBreakEvens(part, sizes);
    noteDefault(part, sizes);
    part.note(
      isProcessorTime
        ? 'Busy: processor time of the thread of the event loop, which also wakes up for every answer of a thread.'
        : 'Busy: the time in which the event loop did not wait, for this system tells no processor time of a thread.',
    );
    const largest = sizes.at(-1);
    if (largest !== undefined) {
      part.note(
        `Both ways begin with a request that is read and checked and end with bytes: up to ` +
          `${formatValue(largest.answerBytes, 'bytes')} of them (${largest.description}).`,
      );
    }
  },
};
