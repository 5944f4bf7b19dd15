/**
 * From which cost a simulation is worth a worker thread: what it costs the event loop to answer it and to hand it
 * over, how long the answer takes both ways, and what the service estimated. Its threshold is an estimate, so the
 * break-even is also told in what is estimated there.
 */
import { readSettings } from '../../src/settings.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { scriptPath } from '../project-paths.ts';
import { formatNumber, formatValue } from '../report/number-format.ts';
import { median } from '../report/statistics.ts';
import { breakEven, ratioAt, type SizePoint } from './break-even.ts';
import type { HandOverPlan, HandOverResult, SizeResult, WaySamples } from './hand-over-process.ts';

/** An answer from a thread may come so many times later than one made at once. */
const LATER = [2, 1.5, 1.25] as const;

type Measure = keyof WaySamples;

/** Of one round, in measured or in estimated microseconds. */
function pointsOf(
  sizes: readonly SizeResult[],
  what: Measure,
  round: number,
  by: 'measured' | 'estimated',
): readonly SizePoint[] {
  return sizes.map(({ estimateUs, here, handed }) => ({
    cost: by === 'estimated' ? estimateUs : (here.tookUs[round] as number),
    ratio: (handed[what][round] as number) / (here[what][round] as number),
  }));
}

function addSizes(results: Rounds, sizes: readonly SizeResult[], round: number): void {
  for (const { name, description, estimateUs, here, handed } of sizes) {
    const add = (what: string, label: string, us: number | undefined): void =>
      results.add(`pool/hand-over/${what}/${name}`, `${description}: ${label}`, 'us', us as number);
    add('busy-here', 'loop busy, answered there', here.busyUs[round]);
    add('busy-handed', 'loop busy, handed over', handed.busyUs[round]);
    add('took-here', 'answer of the loop', here.tookUs[round]);
    add('took-handed', 'answer of a thread', handed.tookUs[round]);
    const share = estimateUs / (here.tookUs[round] as number);
    results.add(`pool/hand-over/estimate/${name}`, `${description}: estimated / measured`, 'ratio', share);
  }
}

const CROSSINGS = [
  { name: 'busy', what: 'busyUs', bound: 1, label: 'the loop is busy for less' },
  ...LATER.map((bound) => ({
    name: `took-${bound}`,
    what: 'tookUs' as const,
    bound,
    label: `the answer takes no more than ${bound}x`,
  })),
] as const;

/** Adds each break-even that every round found; notes the others. */
function addBreakEvens(part: PartRun, results: Rounds, sizes: readonly SizeResult[]): void {
  const rounds = Array.from({ length: part.effort.rounds }, (_, round) => round);
  for (const { name, what, bound, label } of CROSSINGS) {
    for (const by of ['measured', 'estimated'] as const) {
      const found = rounds.map((round) => breakEven(pointsOf(sizes, what, round, by), bound));
      if (found.includes(null)) {
        if (by === 'measured') part.note(`No size was large enough that ${label} in every round.`);
        continue;
      }
      for (const us of found) {
        results.add(
          `pool/hand-over/break-even/${name}/${by}`,
          `handed over, ${label} from (${by})`,
          'us',
          us as number,
        );
      }
    }
  }
}

function noteDefault(part: PartRun, results: Rounds, sizes: readonly SizeResult[]): void {
  const { heavyMicroseconds } = readSettings({});
  const atDefault = (what: Measure): string => {
    const ratios = Array.from({ length: part.effort.rounds }, (_, round) =>
      ratioAt(pointsOf(sizes, what, round, 'estimated'), heavyMicroseconds),
    );
    return `${formatNumber(median(ratios))}x`;
  };
  const lowest = median(results.samplesOf('pool/hand-over/break-even/busy/estimated'));
  part.note(
    `RATEWRIGHT_HEAVY_MICROSECONDS is ${heavyMicroseconds.toLocaleString('en-US')} by default: what a light request ` +
      `may have to wait behind one that is not handed over. A request estimated at that keeps the event loop busy ` +
      `for ${atDefault('busyUs')} as long when it is handed over, and its answer takes ${atDefault('tookUs')} as ` +
      `long. Below ${formatValue(lowest, 'us')} estimated, handing over would cost the event loop more than it saves.`,
  );
}

export const handOverPart: Part = {
  id: 'pool/hand-over',
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
    // Not held to one core: the thread has the other one.
    const child = part.children.startNode(
      'hand-over',
      scriptPath('pool/hand-over-process.js'),
      [JSON.stringify(plan)],
      { role: 'any', hasChannel: true },
    );
    const { sizes, isProcessorTime } = (await child.message()) as HandOverResult;
    const results = new Rounds();
    for (let round = 0; round < rounds; round++) addSizes(results, sizes, round);
    addBreakEvens(part, results, sizes);
    results.recordTo(part);
    noteDefault(part, results, sizes);
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
