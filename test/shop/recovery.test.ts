import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ShopActor } from '../../src/actor/shop-actor.ts';
import type { Command } from '../../src/change/command.ts';
import { WorkSlices } from '../../src/pace/work-slices.ts';
import { recoverShop } from '../../src/shop/recovery.ts';
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
          readInSteps: log.readInSteps.bind(log),
          latestImage: async () => null,
          removedUpTo: () => 0,
        };
        for (const source of [log, withoutCheckpoints]) {
          const recovered = await recoverShop(source, SHOP, new WorkSlices());
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

test('a shop that the log does not have is not recovered', async () => {
  assert.equal(await recoverShop(openStage().log, SHOP, new WorkSlices()), null);
});
