import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallOutcome } from '../../../src/front/client/call-outcome.ts';
import type { Calls } from '../../../src/front/client/call-table.ts';
import { type Patience, patientCalls } from '../../../src/front/console/patient-calls.ts';

const refused = (retryAfterMs: number | null, code = 'RATE_LIMITED') =>
  ({
    ...{ ok: false, code, message: 'busy', status: 429, retryAfterMs },
    ...{ requestId: null, attempts: 1, mayHaveHappened: false },
  }) as CallOutcome<never>;
const DONE = { ok: true, value: 'read' } as unknown as CallOutcome<never>;

/** `listZones` gives these outcomes, one after the other; waits take no time. */
function reading(outcomes: readonly CallOutcome<never>[], sleep?: Patience['sleep']) {
  const rest = [...outcomes];
  const [waits, told]: [number[], boolean[]] = [[], []];
  const calls = { listZones: async () => rest.shift() ?? DONE } as unknown as Calls;
  const reads = patientCalls(calls, {
    sleep: async (ms, signal) => {
      waits.push(ms);
      await sleep?.(ms, signal);
    },
    onWait: (refusal) => told.push(refusal !== null),
  });
  return { reads, waits, told, rest };
}

test('a read waits as long as the service says, says why, and is sent again', async () => {
  const { reads, waits, told } = reading([refused(12_000), refused(null), DONE]);
  const { signal } = new AbortController();
  assert.equal(await reads.listZones({ signal }), DONE);
  assert.deepEqual(waits, [12_000, 1_000]);
  assert.deepEqual(told, [true, true, false]);
});

test('a write waits too, and is sent again as it was', async () => {
  const sent: unknown[] = [];
  const outcomes = [refused(33_000), DONE];
  const calls = {
    createZone: async (...args: unknown[]) => {
      sent.push(args);
      return outcomes.shift();
    },
  } as unknown as Calls;
  const told: boolean[] = [];
  const patient = patientCalls(calls, {
    sleep: async () => {},
    onWait: (refusal) => told.push(refusal !== null),
  });
  assert.equal(await patient.createZone({ name: 'Alps' } as never, { idempotencyKey: 'one' }), DONE);
  assert.deepEqual(told, [true, false]);
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0], sent[1]);
});

test('several reads wait until the last of them goes on', async () => {
  const { reads, told } = reading([refused(1), refused(1), DONE, DONE]);
  const { signal } = new AbortController();
  await Promise.all([reads.listZones({ signal }), reads.listZones({ signal })]);
  assert.deepEqual(told, [true, true, false]);
});

test('a call that is given up or refused for another reason waits no longer', async () => {
  const control = new AbortController();
  const { reads, told, rest } = reading([refused(1), refused(1), refused(1)], async () => control.abort());
  // What it answers is dropped.
  await reads.listZones({ signal: control.signal });
  assert.deepEqual(told, [true, false]);
  assert.equal(rest.length, 1);
  const { reads: others, waits } = reading([refused(1_000, 'UNAVAILABLE')]);
  assert.equal((await others.listZones({ signal: new AbortController().signal })).ok, false);
  assert.deepEqual(waits, []);
});
