/**
 * Answers carts of growing cost in a process of its own, on its event loop and in a warm worker thread in turn, and
 * tells what each took. The parts are put together as the service does, without HTTP.
 */
import { readPlans } from '../../src/command-line/plan-file.ts';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import { type Outcome, success } from '../../src/domain/failure.ts';
import { ownBytes } from '../../src/http/output.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { readSettings } from '../../src/settings.ts';
import { LIVE } from '../../src/shop/simulating-shop.ts';
import { ANSWER_KINDS, HEAVY_LIMITS, HeavyWork } from '../../src/worker/heavy-work.ts';
import { WORKER_LIMITS } from '../../src/worker/pool-task.ts';
import { WorkerPool } from '../../src/worker/worker-pool.ts';
import { mainThreadTimeUs } from '../process/cpu-time.ts';
import { makeGraded } from '../profiles/graded.ts';
import { NOW_MS, type Profile } from '../profiles/profile.ts';
import { median } from '../report/statistics.ts';
import { makeShop, openLocalShops } from '../store/local-shops.ts';

export interface HandOverPlan {
  readonly dataFolder: string;
  readonly rounds: number;
  /** About how long the requests of one sample take together on the event loop. */
  readonly sampleMs: number;
  readonly warmupMs: number;
}

/** One sample per round, microseconds of one request. */
export interface WaySamples {
  /** How long the event loop's thread worked for it. */
  readonly busyUs: number[];
  /** From the hand-over of the request to its answer. */
  readonly tookUs: number[];
}

export interface SizeResult {
  readonly name: string;
  readonly description: string;
  /** What the service takes it to cost, and the bytes of its answer: means of its carts. */
  readonly estimateUs: number;
  readonly answerBytes: number;
  readonly here: WaySamples;
  readonly handed: WaySamples;
}

export interface HandOverResult {
  readonly sizes: readonly SizeResult[];
  /** False where the system does not tell processor time of a thread: time outside of waiting is counted instead. */
  readonly isProcessorTime: boolean;
}

/** Least requests of a sample: in a smaller sample of large carts one garbage collection decides the figure. */
const REQUESTS_MIN = 4;
/** Longer than a run: the thread stays warm. */
const IDLE_MS = 3_600_000;

const plan = JSON.parse(process.argv[2] ?? '') as HandOverPlan;
const settings = readSettings({});
const profiles = makeGraded();
const shops = openLocalShops(plan.dataFolder);
const shop = await makeShop(shops, 'shop_bench', profiles[0] as Profile);
const metrics = createMetrics();
const pool = new WorkerPool({
  worker: {
    dataFolder: plan.dataFolder,
    ...WORKER_LIMITS,
    itemsMax: settings.itemsMax,
    plans: readPlans(settings),
  },
  kinds: ANSWER_KINDS,
  threads: 1,
  deadlineMs: HEAVY_LIMITS.heavyDeadlineMs,
  idleMs: IDLE_MS,
  meter: metrics.pools.answers,
});
const heavy = new HeavyWork({ pool, logger: silentLogger, metrics, limits: HEAVY_LIMITS });

/** A request that is read and checked, as it is when the service decides where to answer it. */
interface Asked {
  readonly request: SimulateRequest;
  readonly text: string;
  answerHere(): Outcome<Uint8Array>;
}

const askedOf = ({ requests }: Profile): readonly Asked[] =>
  requests.map((request) => {
    const text = JSON.stringify(request);
    return {
      request,
      text,
      answerHere: () => {
        const made = shop.simulate(request, NOW_MS);
        return made.ok ? success(ownBytes(made.value)) : made;
      },
    };
  });

/** Answers and tells how many bytes the answer has. */
type Way = (asked: Asked) => Promise<number>;

function bytesOf(outcome: Outcome<Uint8Array>): number {
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value.byteLength;
}

const answerHere: Way = async (asked) => bytesOf(asked.answerHere());

const QUESTION = {
  kind: 'simulate',
  source: 'live',
  nowMs: NOW_MS,
  form: 'all',
  isStrict: false,
  isChecked: true,
  isTest: false,
} as const;

const handOver: Way = async (asked) => {
  const answer = await heavy.answer(shop, { ...QUESTION, text: asked.text });
  const bytes = bytesOf(answer.outcome);
  shop.simulatedElsewhere(asked.request, NOW_MS);
  answer.release?.();
  return bytes;
};

const bell = new Int32Array(new SharedArrayBuffer(4));
const isProcessorTime = mainThreadTimeUs(process.pid) !== null;

/** How long this thread has worked so far. It pauses first: the system updates the counter when a thread stops running. */
function busySoFarUs(): number {
  Atomics.wait(bell, 0, 0, 1);
  return mainThreadTimeUs(process.pid) ?? performance.eventLoopUtilization().active * 1_000;
}

async function sample(way: Way, carts: readonly Asked[], count: number, into: WaySamples): Promise<void> {
  const took: number[] = [];
  const busyBeforeUs = busySoFarUs();
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await way(carts[i % carts.length] as Asked);
    took.push((performance.now() - start) * 1_000);
  }
  into.busyUs.push((busySoFarUs() - busyBeforeUs) / count);
  into.tookUs.push(median(took));
}

async function warmUp(carts: readonly Asked[]): Promise<number> {
  let answers = 0;
  let bytes = 0;
  for (const end = performance.now() + plan.warmupMs; answers < REQUESTS_MIN || performance.now() < end; ) {
    const asked = carts[answers++ % carts.length] as Asked;
    const here = await answerHere(asked);
    if ((await handOver(asked)) !== here) throw new Error('the worker thread answered something else');
    bytes += here;
  }
  return bytes / answers;
}

const noSamples = (): WaySamples => ({ busyUs: [], tookUs: [] });
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

async function measure(): Promise<readonly SizeResult[]> {
  const sizes = [];
  for (const profile of profiles) {
    const carts = askedOf(profile);
    const estimateUs = mean(
      profile.requests.map((request) => {
        const placed = shop.placed(LIVE.source, request);
        return placed.ok ? shop.simulationCost(placed.value, request, LIVE.form) : 0;
      }),
    );
    const result: SizeResult = {
      name: profile.name,
      description: profile.description,
      estimateUs,
      answerBytes: await warmUp(carts),
      here: noSamples(),
      handed: noSamples(),
    };
    const count = Math.max(REQUESTS_MIN, Math.round((plan.sampleMs * 1_000) / estimateUs));
    sizes.push({ carts, count, result });
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const { carts, count, result } of sizes) {
      await sample(answerHere, carts, count, result.here);
      await sample(handOver, carts, count, result.handed);
    }
  }
  return sizes.map(({ result }) => result);
}

const result: HandOverResult = { sizes: await measure(), isProcessorTime };
await pool.close();
await shops.close();
process.send?.(result, () => process.exit(0));
