/**
 * A worker thread: opens the log in the data folder itself, keeps compiled shops, and answers one question at a time. It
 * holds no data that other threads need, so once this file is loaded the thread may be ended at any moment.
 */
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { RecordMarks, ShopCoverage } from '../coverage/shop-coverage.ts';
import { simulateRequestSchema } from '../domain/cart.ts';
import { unavailable } from '../domain/failure.ts';
import { DamagedLogError } from '../log/event-log.ts';
import { openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { systemClock } from '../runtime/clock.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { ShopReader } from '../shop/shop-reader.ts';
import type { Uses } from '../shop/simulation-watch.ts';
import { NO_WATCH } from '../shop/simulation-watch.ts';
import { VersionCache } from '../shop/version-cache.ts';
import { compileSchema } from '../wire/schema-check.ts';
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
function usesOf({ useCounter }: ShopReader): Uses | null {
  if (!useCounter.isUsed) return null;
  const used = new ShopCoverage('', marks);
  used.collect(useCounter.take(), systemClock.nowMs());
  return used.uses();
}
