import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Command } from '../../../src/engine/change/command.ts';
import { writeImage } from '../../../src/engine/change/state-image.ts';
import type { ShopState } from '../../../src/engine/domain/shop-event.ts';
import type { ShopActor } from '../../../src/shop/actor/shop-actor.ts';
import { type ReadableLog, readShop, recoverShop } from '../../../src/shop/reader/recovery.ts';
import { DamagedLogError } from '../../../src/store/log/event-log.ts';
import type { ControlledLog } from '../actor/controlled-log.ts';
import { createShop, newGroup, openStage, request, SHOP } from '../actor/shop-stage.ts';

/** What happens to the shop; `choice` picks a record among those that are there. */
type Step =
  | { readonly kind: 'writes'; readonly writes: readonly Write[] }
  | { readonly kind: 'restart' }
  | { readonly kind: 'otherProcess'; readonly write: Write };
interface Write {
  readonly kind: 'create' | 'rename' | 'delete' | 'zones' | 'currency' | 'key' | 'revoke';
  readonly choice: number;
}

const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom('create', 'rename', 'delete', 'zones', 'currency', 'key', 'revoke'),
  choice: fc.nat(20),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('writes'), writes: fc.array(write, { maxLength: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('otherProcess'), write }) },
);

function commandOf({ kind, choice }: Write, { state }: ShopActor): Command {
  const { productGroups } = state.config;
  const group = productGroups[choice % productGroups.length]?.id ?? '';
  switch (kind) {
    case 'create':
      return newGroup(`Group ${choice}`);
    case 'rename':
      return { kind: 'updateGroup', id: group, body: { name: `Renamed ${choice}`, position: choice } };
    case 'delete':
      return { kind: 'deleteGroup', id: group };
    case 'zones':
      return { kind: 'executeConfig', data: { zones: [{ name: `Zone ${choice}`, countries: ['US'] }] } };
    case 'currency':
      return { kind: 'updateShop', body: { currency: choice % 2 === 0 ? 'EUR' : 'USD' } };
    case 'key': {
      const secretSha256 = choice.toString(16).padStart(64, '0');
      return { kind: 'createKey', label: 'K', permission: 'admin', prefix: 'p', secretSha256 };
    }
    case 'revoke':
      return { kind: 'revokeKey', id: state.keys[choice % (state.keys.length || 1)]?.id ?? 'key_x' };
  }
}

async function play(steps: readonly Step[], log: ControlledLog, limits: { checkpointRecords: number }) {
  let shop = await openStage(limits, log).directory.load(SHOP);
  for (const current of steps) {
    if (current.kind === 'writes') {
      await Promise.all(current.writes.map((each) => shop.write(request(commandOf(each, shop)))));
    } else if (current.kind === 'restart') {
      await shop.idle();
      shop = await openStage(limits, log).directory.load(SHOP);
    } else {
      const other = await openStage(limits, log).directory.load(SHOP);
      await other.write(request(commandOf(current.write, other)));
      await other.idle();
    }
  }
  await shop.refresh();
  await shop.idle();
  return shop;
}

test('a shop replayed from its whole log, or from a checkpoint and the records behind it, is the live one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      async (steps, records) => {
        const stage = openStage();
        await createShop(stage);
        const { log } = stage;
        const live = await play(steps, log, { checkpointRecords: records });
        const stored = log.records(SHOP);
        const withoutCheckpoints = {
          read: log.read.bind(log),
          latestCheckpoint: () => null,
          removedUpTo: () => 0,
        };
        for (const source of [log, withoutCheckpoints]) {
          const recovered = await recoverShop(source, SHOP);
          assert.deepEqual(recovered?.state, live.state);
          assert.equal(recovered?.sequenceNumber, stored.length);
          // To the byte: also the order of fields, which reaches clients.
          assert.equal(JSON.stringify(recovered?.state), JSON.stringify(live.state));
        }
        const versions = stored.flatMap(({ event }) => ('version' in event ? [event.version.number] : []));
        assert.deepEqual(
          versions,
          versions.map((_, index) => index + 1),
        );
      },
    ),
    { numRuns: 200 },
  );
});

/** Both forms: with and without a count of the tail. */
type Load = (log: ReadableLog, upTo?: number) => ReturnType<typeof recoverShop | typeof readShop>;
const FORMS: readonly (readonly [name: string, load: Load])[] = [
  ['to load it', (log, upTo) => recoverShop(log, SHOP, upTo)],
  ['to read it', (log, upTo = Number.MAX_SAFE_INTEGER) => readShop(log, SHOP, upTo)],
];

/** A log of a shop with `length` records and checkpoints at some of them, and the states after each record. */
async function logOf(length: number, checkpoints: readonly number[] = []) {
  const stage = openStage();
  const { log } = stage;
  const shop = await createShop(stage);
  const states: (ShopState | null)[] = [null, shop.state];
  for (let number = 2; number <= length; number++) {
    await shop.write(request(newGroup(`Group ${number}`)));
    states.push(shop.state);
  }
  assert.equal(log.lastSequenceNumber(SHOP), length);
  const checkpointAt = (sequenceNumber: number, image = writeImage(states[sequenceNumber] as ShopState)) =>
    log.writeCheckpoint(SHOP, { sequenceNumber, image });
  for (const at of checkpoints) await checkpointAt(at);
  return { log, states, checkpointAt };
}

/** The state and the number alone. */
const loaded = async (load: Load, log: ReadableLog, upTo?: number) => {
  const shop = await load(log, upTo);
  return shop === null ? null : { state: shop.state, sequenceNumber: shop.sequenceNumber };
};

for (const [name, load] of FORMS) {
  test(`a shop without records up to there has no state, ${name}`, async () => {
    assert.equal(await load(openStage().log), null);
    assert.equal(await load((await logOf(2)).log, 0), null);
  });

  test(`checkpoint and tail give the same state as all records, up to any record, ${name}`, async () => {
    const length = 12;
    const places = fc.subarray(Array.from({ length }, (_, index) => index + 1));
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 1, max: length + 3 }), async (checkpoints, upTo) => {
        const { log, states } = await logOf(length, checkpoints);
        const last = Math.min(upTo, length);
        assert.deepEqual(await loaded(load, log, upTo), { state: states[last], sequenceNumber: last });
      }),
      { numRuns: 50 },
    );
  });

  test(`records before the checkpoint are not read, ${name}`, async () => {
    const { log, states } = await logOf(5, [3]);
    log.damageRecord(SHOP, 2);
    assert.deepEqual((await load(log))?.state, states[5]);
    await assert.rejects(async () => load(log, 2), DamagedLogError);
  });

  test(`a damaged checkpoint, or one without an image, costs only time, ${name}`, async () => {
    const { log, states, checkpointAt } = await logOf(6, [2, 4]);
    log.damageCheckpoint(SHOP, 4);
    await checkpointAt(5, 'not an image');
    await checkpointAt(6, '"no state"');
    assert.deepEqual(await loaded(load, log), { state: states[6], sequenceNumber: 6 });
    await checkpointAt(2, '{');
    assert.deepEqual(await loaded(load, log), { state: states[6], sequenceNumber: 6 });
  });

  test(`a damaged record is not treated as a bad checkpoint, ${name}`, async () => {
    const { log } = await logOf(3, [1]);
    log.damageRecord(SHOP, 3);
    await assert.rejects(async () => load(log), DamagedLogError);
  });
}

test('from a known state only the records after it are read', async () => {
  const { log, states } = await logOf(6, [2]);
  const known = { state: states[3] as ShopState, sequenceNumber: 3 };
  for (const damaged of [1, 2, 3]) log.damageRecord(SHOP, damaged);
  assert.deepEqual(readShop(log, SHOP, 5, known), { state: states[5], sequenceNumber: 5 });
  assert.deepEqual(readShop(log, SHOP, 3, known), known);
});
