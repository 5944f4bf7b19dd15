/** `npm run bench -- --url`: compares the answers of two services, loads one or both, and says what it found. */
import { writeFileSync } from 'node:fs';
import { assertWritable, UsageError } from '../command-line.ts';
import { runClosedLoop } from '../load/closed-loop.ts';
import { CONNECTIONS } from '../load/load-generator.ts';
import { type LoadTarget, writeBodies } from '../load/load-target.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { ANSWER_MS_MAX, undiciCarrier } from '../load/undici-carrier.ts';
import type { TemporaryFolders } from '../process/temporary-folders.ts';
import { type NamedCart, readCarts } from '../profiles/own-shop.ts';
import { formatNumber } from '../report/number-format.ts';
import { LoadRecord } from './load-record.ts';
import type { ServiceOptions } from './options.ts';
import { assertAnswers, type CartDifference, compareAnswers } from './replies.ts';
import { servicesPage } from './services-page.ts';
import { formatDifferences, formatLoads } from './services-text.ts';

/** Two services are loaded in turn, in so many rounds. */
const ROUNDS = 5;
const PEAK_SHARE = 0.5;
const PEAK_SECONDS = { least: 0.4, most: 3 };
const WARMUP_SECONDS_MAX = 2;

export interface Load {
  /** Of each service, in their order. */
  readonly records: readonly LoadRecord[];
  readonly perSecond: number;
  /** How the rate was chosen, how long it was held. */
  readonly description: string;
}

export interface ServicesReport {
  readonly services: ServiceOptions['services'];
  readonly startedAt: Date;
  readonly carts: number;
  /** null when there is one service. */
  readonly differing: readonly CartDifference[] | null;
  /** null with `--for 0s`. */
  readonly load: Load | null;
}

/** Answers per second of a closed loop, the lower one of two services. */
async function findPeak(targets: readonly LoadTarget[], seconds: number): Promise<number> {
  const peaks: number[] = [];
  for (const target of targets) {
    const run = (length: number) =>
      runClosedLoop({ connections: CONNECTIONS, seconds: length }, undiciCarrier(target, CONNECTIONS));
    await run(seconds / 3);
    let peak = await run(seconds);
    // A service too slow for so short a time gets longer ones.
    for (let length = 2 * seconds; peak.answers + peak.failures === 0 && length <= ANSWER_MS_MAX / 1_000; ) {
      peak = await run(length);
      length *= 2;
    }
    if (peak.answers === 0) throw new UsageError(`${target.origin} answers no cart with rates`);
    peaks.push(peak.answers / peak.seconds);
  }
  return Math.min(...peaks);
}

async function loadServices(
  { services, perSecond: wanted, seconds }: ServiceOptions,
  carts: readonly NamedCart[],
  folder: string,
): Promise<Load> {
  const all = services.flatMap((service) => service ?? []);
  const bodies = carts.map(({ cart }) => JSON.stringify(cart));
  const targetsFrom = (first: number): readonly LoadTarget[] => {
    const file = writeBodies(folder, `from-${first}`, [...bodies.slice(first), ...bodies.slice(0, first)]);
    return all.map(({ origin, path, authorization }) => ({
      ...{ origin, path, authorization },
      method: 'POST',
      bodiesFile: file,
    }));
  };
  const peakSeconds = Math.max(PEAK_SECONDS.least, Math.min(PEAK_SECONDS.most, seconds / 4));
  const peak = wanted ?? (await findPeak(targetsFrom(0), peakSeconds));
  const perSecond = wanted ?? Math.max(1, Math.round(peak * PEAK_SHARE));
  const rounds = all.length === 1 ? 1 : ROUNDS;
  const roundSeconds = seconds / rounds;
  const records = all.map(() => new LoadRecord(seconds));
  for (let round = 0; round < rounds; round++) {
    for (const [at, target] of targetsFrom(Math.floor((round * bodies.length) / rounds)).entries()) {
      const record = records[at] as LoadRecord;
      const { generatorLagP99Us } = await runOpenLoop(
        {
          streams: [{ name: target.origin, target, perSecond, connections: CONNECTIONS }],
          warmupSeconds: Math.min(WARMUP_SECONDS_MAX, roundSeconds / 10),
          seconds: roundSeconds,
          seed: round,
        },
        { carrierOf: undiciCarrier, observe: record.begin(roundSeconds) },
      );
      record.sentLateUs.push(generatorLagP99Us);
    }
  }
  const turns = rounds === 1 ? '' : ` each, in ${rounds} turns`;
  const found = `, half of the peak of ${formatNumber(peak)} in a closed loop of ${CONNECTIONS} connections`;
  const description =
    `Open loop: ${formatNumber(perSecond)} requests per second${wanted === null ? found : ''}, ` +
    `for ${seconds} s${turns}.`;
  return { records, perSecond, description };
}

/** Gives the exit code: 1 when answers differ. Throws `UsageError`. */
export async function measureServices(
  options: ServiceOptions,
  folders: TemporaryFolders,
  print: (text: string) => void,
): Promise<number> {
  const { services, seconds, reportFile } = options;
  const carts = readCarts(options.carts);
  const [first, second] = services;
  await assertAnswers(first, carts[0] as NamedCart);
  if (second !== undefined) await assertAnswers(second, carts[0] as NamedCart);
  assertWritable(reportFile);
  const startedAt = new Date();
  const differing = second === undefined ? null : await compareAnswers([first, second], carts);
  if (differing !== null) print(formatDifferences(differing, carts.length));
  const load = seconds === 0 ? null : await loadServices(options, carts, folders.make('carts'));
  if (load !== null) print(formatLoads(services, load));
  writeFileSync(reportFile, servicesPage({ services, startedAt, carts: carts.length, differing, load }));
  print(`written: ${reportFile}`);
  return differing !== null && differing.length > 0 ? 1 : 0;
}
