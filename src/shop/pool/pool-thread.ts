/**
 * A worker thread: opens the log in the data folder itself, keeps compiled shops, and answers one question at a time. It
 * holds no data that other threads need, so once this file is loaded the thread may be ended at any moment.
 */
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { createMetrics } from '../../base/metrics/metrics.ts';
import { systemClock } from '../../base/runtime/clock.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { simulateRequestSchema } from '../../engine/domain/cart.ts';
import { unavailable } from '../../engine/domain/failure.ts';
import { compileSchema } from '../../engine/wire/schema-check.ts';
import { DamagedLogError } from '../../store/log/event-log.ts';
import { openLmdbEventLog } from '../../store/log/lmdb/lmdb-event-log.ts';
import { RecordMarks, ShopCoverage } from '../coverage/shop-coverage.ts';
import type { ShopReader } from '../reader/shop-reader.ts';
import type { Uses } from '../reader/simulation-watch.ts';
import { NO_WATCH } from '../reader/simulation-watch.ts';
import { VersionCache } from '../reader/version-cache.ts';
import { answerQuestion } from './answer-question.ts';
import type { AskedQuestion, ThreadAnswer, ThreadSettings } from './question.ts';
import { ShopReaders } from './shop-readers.ts';

const { dataFolder, itemsMax, plans, shopsKeptMax, versionCacheBytesMax } = workerData as ThreadSettings;
const log = openLmdbEventLog({ path: dataFolder, check: 'never' });
const check = compileSchema(simulateRequestSchema(itemsMax));
const marks = new RecordMarks();
const readers = new ShopReaders(
  {
    log,
    versionCache: new VersionCache({ versionCacheBytesMax }),
    clock: systemClock,
    metrics: createMetrics(),
    plans,
    limits: { itemsMax },
    watch: NO_WATCH,
  },
  shopsKeptMax,
);

const NO_RECORD = unavailable('the newest record of this shop cannot be read yet: try again in a moment');

/** Answers a question; null, the question of a pool that is being prepared, asks nothing. */
export function answer(question: AskedQuestion | null): object {
  if (question === null) return {};
  const made = answerOf(question);
  if (made.kind !== 'answered') return made;
  // The bytes are handed over without a copy.
  return move({ [transferableSymbol]: [made.body.buffer], [valueSymbol]: made });
}

function answerOf(question: AskedQuestion): ThreadAnswer {
  try {
    const shop = readers.at(question.shopId, question.sequenceNumber);
    if (shop === null) return { kind: 'refused', failure: NO_RECORD };
    const { text, answered } = answerQuestion(shop, question, check);
    const uses = usesOf(shop);
    if (!text.ok) return { kind: 'refused', failure: text };
    return { kind: 'answered', body: new TextEncoder().encode(text.value), answered, uses };
  } catch (thrown) {
    const error = asError(thrown);
    if (!(error instanceof DamagedLogError)) return { kind: 'thrown', error };
    return { kind: 'damaged', sequenceNumber: error.sequenceNumber, what: error.what };
  } finally {
    // Ends the read transaction now, instead of in a later turn of the event loop.
    log.endReads();
  }
}

/** What live simulations used, which the event loop adds to the coverage of the shop. */
function usesOf({ useCounter, state }: ShopReader): Uses | null {
  if (!useCounter.isUsed) return null;
  const used = new ShopCoverage('', marks);
  used.collect(useCounter.take(), state.settings, systemClock.nowMs());
  return used.uses();
}
