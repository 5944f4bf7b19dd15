/** The promises of the `EventLog` port about versions and about the removal of old records. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DamagedLogError, type EventLog, type NewRecord } from '../../../src/store/log/event-log.ts';
import type { LogHarness, Promises } from './event-log-contract.ts';
import {
  answeredRecord,
  keyRecord,
  numbersOf,
  START_MS,
  settingsRecord,
  sha256Of,
  versionRecord,
} from './sample-records.ts';

const SHOP = 'shop_a';

/** `number:sequence number:run` of the versions that are found. */
function versionsIn(log: EventLog, shopId = SHOP, most = 40): string[] {
  const found: string[] = [];
  for (let number = 0; number <= most; number++) {
    const entry = log.versionAt(shopId, number);
    if (entry !== null) found.push(`${entry.version.number}:${entry.sequenceNumber}:${entry.batchRun}`);
  }
  return found;
}

/** Numbers of the records that the audit tells of, newest first. */
const auditIn = (log: EventLog, upTo = 100, most = 100): number[] =>
  numbersOf(log.readAudit(SHOP, upTo, most));

const appendVersions = (log: EventLog, batchIds: readonly (string | null)[], first = 1) =>
  log.append(
    SHOP,
    log.lastSequenceNumber(SHOP),
    batchIds.map((batchId, index) => versionRecord(first + index, batchId)),
  );

export function versionPromises(promise: Promises): void {
  promise('a version is found by its number, with its record', async (log) => {
    const { event } = versionRecord(1);
    await log.append(SHOP, 0, [versionRecord(1), settingsRecord('x'), versionRecord(2)]);
    await log.append('shop_b', 0, [versionRecord(1)]);
    assert.deepEqual(versionsIn(log), ['1:1:0', '2:3:0']);
    assert.deepEqual(log.versionAt(SHOP, 1)?.version, 'version' in event && event.version);
    assert.equal(log.oldestVersion(SHOP)?.version.number, 1);
    for (const wrong of [0, -1, 3, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(log.versionAt(SHOP, wrong), null);
    }
    for (const wrong of ['', 'shop_x', 'not an id', '__proto__', 'x'.repeat(65)]) {
      assert.equal(log.versionAt(wrong, 1), null);
      assert.equal(log.oldestVersion(wrong), null);
    }
  });

  promise('a version of a refused append is not found', async (log) => {
    await log.append(SHOP, 0, [versionRecord(1)]);
    assert.equal((await log.append(SHOP, 0, [versionRecord(2)])).kind, 'staleWriter');
    assert.deepEqual(versionsIn(log), ['1:1:0']);
  });

  promise('batch runs are counted in one append and over many', async (log) => {
    await appendVersions(log, [null, 'a', 'a']);
    await appendVersions(log, ['a', 'b'], 4);
    await appendVersions(log, ['a'], 6);
    await log.append(SHOP, 6, [settingsRecord('between')]);
    await appendVersions(log, ['a', null, 'a'], 7);
    assert.deepEqual(versionsIn(log), [
      '1:1:0',
      '2:2:1',
      '3:3:2',
      '4:4:3',
      '5:5:1',
      '6:6:1',
      '7:8:2',
      '8:9:0',
      '9:10:1',
    ]);
  });
}

/** A log with a key, twelve versions (3 to 8 are a batch), and checkpoints at 4, 8 and 12. */
async function fillForTrim(log: EventLog): Promise<void> {
  const batchIds = Array.from({ length: 12 }, (_, index) => (index >= 2 && index <= 7 ? 'batch' : null));
  await log.append(SHOP, 0, [keyRecord('key_1', 'one'), answeredRecord('old', 'idempotent', START_MS)]);
  await appendVersions(log, batchIds);
  for (const at of [4, 8, 12]) await log.writeCheckpoint(SHOP, { sequenceNumber: at, image: `{"at":${at}}` });
}

const numbersAfter = (log: EventLog, after: number): number[] => numbersOf(log.read(SHOP, after));

export function trimPromises(promise: Promises): void {
  promise('records of the audit are found, newest first, until they are removed', async (log) => {
    const records = [settingsRecord(1), versionRecord(1), settingsRecord(2), settingsRecord(3)];
    await log.append(SHOP, 0, [...records, versionRecord(2), settingsRecord(4)]);
    await log.append('shop_a1', 0, [settingsRecord('other')]);
    assert.deepEqual(auditIn(log), [6, 4, 3, 1]);
    assert.deepEqual(auditIn(log, 5, 2), [4, 3]);
    assert.deepEqual(auditIn(log, 0), []);
    assert.deepEqual(log.readAudit(SHOP, 4, 1), [{ ...settingsRecord(3), sequenceNumber: 4 }]);
    for (const wrong of ['', 'shop_x', 'not an id']) assert.deepEqual(log.readAudit(wrong, 9, 9), []);
    await log.writeCheckpoint(SHOP, { sequenceNumber: 3, image: '{}' });
    await log.trim(SHOP, 3);
    assert.deepEqual(auditIn(log), [6, 4]);
    assert.deepEqual(auditIn(log, 3), []);
  });

  promise('a trimmed log begins with a checkpoint, and its hash chain continues', async (log) => {
    await fillForTrim(log);
    await log.append('shop_b', 0, [versionRecord(1)]);
    assert.equal(await log.trim(SHOP, 8), 8);
    assert.deepEqual(numbersAfter(log, 8), [9, 10, 11, 12, 13, 14]);
    assert.deepEqual(numbersAfter(log, 13), [14]);
    assert.deepEqual(log.latestCheckpoint(SHOP, 11), { sequenceNumber: 8, image: '{"at":8}' });
    assert.equal(log.latestCheckpoint(SHOP, 7), null);
    assert.equal(log.latestCheckpoint(SHOP)?.sequenceNumber, 12);
    assert.equal(log.lastSequenceNumber(SHOP), 14);
    assert.deepEqual(log.findKey(sha256Of('one'))?.keyId, 'key_1', 'keys of removed records stay');
    assert.equal(log.findAnswer(SHOP, 'idempotent', 0), null);
    assert.equal((await log.append(SHOP, 14, [versionRecord(13)])).kind, 'appended');
    assert.deepEqual(numbersAfter(log, 12), [13, 14, 15]);
    assert.deepEqual(versionsIn(log, 'shop_b'), ['1:1:0'], 'other shops are unchanged');
  });

  promise('versions whose record was removed are unknown; the others are unchanged', async (log) => {
    await fillForTrim(log);
    await log.trim(SHOP, 8);
    assert.deepEqual(versionsIn(log), ['7:9:5', '8:10:6', '9:11:0', '10:12:0', '11:13:0', '12:14:0']);
    assert.equal(log.oldestVersion(SHOP)?.version.number, 7);
  });

  promise('removed records cannot be read or written again, and no append replaces them', async (log) => {
    await fillForTrim(log);
    await log.trim(SHOP, 8);
    assert.throws(() => numbersAfter(log, 7), DamagedLogError);
    assert.throws(() => numbersAfter(log, 0), DamagedLogError);
    for (const expected of [0, 1, 7, 8, 13]) {
      assert.deepEqual(await log.append(SHOP, expected, [versionRecord(99)]), { kind: 'staleWriter' });
    }
    await assert.rejects(log.writeCheckpoint(SHOP, { sequenceNumber: 7, image: '{}' }), RangeError);
  });

  promise('a log is trimmed only at a checkpoint, and never completely', async (log) => {
    await fillForTrim(log);
    await log.writeCheckpoint(SHOP, { sequenceNumber: 14, image: '{}' });
    for (const upTo of [0, -1, 5, 14, 15]) await assert.rejects(log.trim(SHOP, upTo), RangeError);
    await assert.rejects(log.trim('shop_b', 1), RangeError);
    assert.equal(numbersAfter(log, 0).length, 14);
  });

  promise('a log can be trimmed again, also twice at the same record', async (log) => {
    await fillForTrim(log);
    assert.equal(await log.trim(SHOP, 4), 4);
    assert.equal(await log.trim(SHOP, 4), 0);
    assert.equal(await log.trim(SHOP, 12), 8);
    assert.deepEqual(numbersAfter(log, 12), [13, 14]);
    assert.deepEqual(versionsIn(log), ['11:13:0', '12:14:0']);
  });
}

/** Number of the record in a text of `versionsIn`. */
const recordIn = (entry: string): number => Number(entry.split(':')[1]);

/** Random histories that are trimmed and reopened at random. */
export async function assertTrimModel({ open, reopen }: LogHarness): Promise<void> {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('append' as const),
      batchIds: fc.array(fc.constantFrom(null, 'a', 'b', undefined), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant('trim' as const),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    fc.record({ kind: fc.constant('reopen' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      let log = await open();
      let removed = 0;
      const records: NewRecord[] = [];
      let versions = 0;
      const expected: string[] = [];
      const isThere = (number: number) => number > removed;
      let run = 0;
      let batch: string | null = null;
      for (const one of steps) {
        if (one.kind === 'reopen') log = await reopen(log);
        else if (one.kind === 'append') {
          const added = one.batchIds.map((batchId) =>
            batchId === undefined ? settingsRecord('x') : versionRecord(++versions, batchId),
          );
          await log.append(SHOP, records.length, added);
          for (const [index, batchId] of one.batchIds.entries()) {
            if (batchId === undefined) continue;
            run = batchId === null ? 0 : batchId === batch ? run + 1 : 1;
            batch = batchId;
            expected.push(`${expected.length + 1}:${records.length + index + 1}:${run}`);
          }
          records.push(...added);
        } else if (records.length > 1) {
          // The last version of all stays, as by retention: without it the next one begins a new batch run.
          const most = Math.min(records.length - 1, recordIn(expected.at(-1) ?? `0:${records.length}`) - 1);
          const upTo = 1 + Math.floor(one.part * (most - 1));
          if (most < 1 || upTo < removed) continue;
          const before = records.filter((_, index) => isThere(index + 1)).length;
          await log.writeCheckpoint(SHOP, { sequenceNumber: upTo, image: '{}' });
          const gone = await log.trim(SHOP, upTo);
          removed = upTo;
          assert.equal(gone, before - records.filter((_, index) => isThere(index + 1)).length);
        }
      }
      const kept = expected.filter((entry) => isThere(recordIn(entry)));
      assert.deepEqual(versionsIn(log, SHOP, versions + 1), kept);
      const told = records.flatMap(({ event }, index) => ('audit' in event ? [index + 1] : []));
      assert.deepEqual(auditIn(log, records.length), told.filter(isThere).reverse());
      assert.equal(numbersAfter(log, removed).length, records.length - removed);
      await log.close();
    }),
    { numRuns: 15 },
  );
}
