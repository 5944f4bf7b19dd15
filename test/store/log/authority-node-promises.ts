/** The promises of the `Authority` port about the list of nodes, their beats and hints. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Authority, Beat, Hint } from '../../../src/store/log/authority.ts';
import { UnusableDataFileError } from '../../../src/store/log/event-log.ts';
import type { AuthorityPromise } from './authority-contract.ts';
import { appendMarks, groupOf, newShop } from './authority-shops.ts';

const NODE = { node: 'node of a test', readsFormat: 1 };

async function beatOf(authority: Authority): Promise<Beat> {
  const beat = await authority.beat();
  assert.ok(beat !== null, 'the node was removed');
  return beat;
}

/** On a database of its own, because its format stays raised. */
export async function formatRisesWithTheOldestNode(one: Authority, other: Authority): Promise<void> {
  const join = (authority: Authority, readsFormat: number) => authority.join({ ...NODE, readsFormat });
  await join(other, 1);
  await join(one, 2);
  await beatOf(one);
  await other.leave();
  await join(other, 1);
  await other.leave();
  // The last node that reads format 1 alone is gone.
  await beatOf(one);
  await assert.rejects(join(other, 1), UnusableDataFileError);
  assert.equal((await one.nodes()).length, 1);
  await join(other, 2);
  await beatOf(other);
}

export function nodePromises(promise: AuthorityPromise): void {
  promise('a node is listed with its beats, under a new run each time it joins', async (one, other) => {
    const run = await one.join(NODE);
    const listed = async () => (await other.nodes()).find((node) => node.run === run);
    assert.deepEqual(await listed(), { ...NODE, run, beat: 0 });
    const startMs = Date.now();
    const [first, second] = [await beatOf(one), await beatOf(one)];
    // Both are on this machine.
    assert.ok(Math.abs(second.wallMs - startMs) < 60_000, String(second.wallMs));
    assert.deepEqual([first.beat, second.beat], [1, 2]);
    assert.equal(second.nodes.find((node) => node.run === run)?.beat, 2);
    assert.equal((await listed())?.beat, 2);
    await one.leave();
    assert.equal(await listed(), undefined);
    assert.notEqual(await one.join(NODE), run);
    await one.leave();
  });

  promise('the answer of an append has a list of nodes that was read after it', async (one, other) => {
    const run = await other.join(NODE);
    for (let beats = 0; beats < 3; beats++) await beatOf(other);
    const { shopId, head } = await newShop(one, 'a');
    const result = await one.append(groupOf(shopId, head, 'b'));
    assert.equal(result.kind === 'appended' && result.nodes.find((node) => node.run === run)?.beat, 3);
    await other.leave();
  });

  promise(
    'a new connection has no feed; later beats name what changed since the last',
    async (one, other) => {
      const { shopId, head } = await newShop(one, 'a');
      await other.join(NODE);
      assert.equal((await beatOf(other)).changed, null);
      assert.ok((await beatOf(other)).changed !== null);
      const second = await appendMarks(one, shopId, head, 'b');
      const made = await newShop(one, 'new');
      const { changed } = await beatOf(other);
      const headOf = (id: string) => changed?.find((state) => state.shopId === id)?.head;
      assert.deepEqual(headOf(shopId), second);
      assert.deepEqual(headOf(made.shopId), made.head);
      await other.leave();
    },
  );

  promise('a beat after the answer of an append names it, however many write', async (one, other) => {
    await other.join(NODE);
    await beatOf(other);
    const seen = new Map<string, number>();
    const writers = Array.from({ length: 6 }, async () => {
      let { shopId, head } = await newShop(one, 0);
      for (let mark = 1; mark <= 12; mark++) {
        head = await appendMarks(one, shopId, head, mark);
        for (const state of (await beatOf(other)).changed ?? []) {
          const known = seen.get(state.shopId) ?? 0;
          seen.set(state.shopId, Math.max(known, state.head.sequenceNumber));
        }
        // The beat of another writer may have named it already.
        const named = seen.get(shopId) ?? 0;
        assert.ok(named >= head.sequenceNumber, `${named} < ${head.sequenceNumber}`);
      }
    });
    await Promise.all(writers);
    await other.leave();
  });

  promise('a deleted and a trimmed shop are named as changed', async (one, other) => {
    const [deleted, trimmed] = [await newShop(one, 'a'), await newShop(one, 'a', 'b')];
    await one.writeCheckpoint(trimmed.shopId, { sequenceNumber: 1, stored: Buffer.alloc(10) });
    await other.join(NODE);
    await beatOf(other);
    await one.deleteShop(deleted.shopId, deleted.head);
    await one.trim(trimmed.shopId, 1);
    const { changed } = await beatOf(other);
    assert.equal(changed?.find(({ shopId }) => shopId === deleted.shopId)?.isDeleted, true);
    assert.equal(changed?.find(({ shopId }) => shopId === trimmed.shopId)?.removedUpTo, 1);
    await other.leave();
  });

  promise(
    'a node that gave no beat since is removed from the list; it must join again',
    async (one, other) => {
      const run = await one.join(NODE);
      await beatOf(one);
      await other.removeNode({ run, beat: 0 });
      assert.ok((await beatOf(one)).beat === 2);
      await other.removeNode({ run, beat: 2 });
      await other.removeNode({ run, beat: 2 });
      assert.equal(await one.beat(), null);
      assert.ok((await other.nodes()).every((node) => node.run !== run));
      await one.join(NODE);
      assert.equal((await beatOf(one)).beat, 1);
      await one.leave();
    },
  );

  promise(
    'others hear of an append and tell of it under their run, until they unsubscribe',
    async (one, other) => {
      const events = new EventEmitter();
      const { shopId, head } = await newShop(one, 'a');
      const run = await other.join(NODE);
      const ofOne: Hint[] = [];
      const ofOther: Hint[] = [];
      const endOne = one.onHint((hint) => {
        ofOne.push(hint);
        if (hint.kind === 'shown') events.emit('told');
      });
      const endOther = other.onHint((hint) => {
        ofOther.push(hint);
        if (hint.kind === 'appended') other.tellShown(hint.shops);
      });
      let last = head;
      // The first hints may arrive before the subscription has started.
      const told = once(events, 'told', { signal: AbortSignal.timeout(30_000) });
      const writing = new AbortController();
      told.then(
        () => writing.abort(),
        () => writing.abort(),
      );
      for (let mark = 0; !writing.signal.aborted; mark++) {
        last = await appendMarks(one, shopId, last, mark);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await told;
      // A deletion is told of as the record behind the last one.
      assert.equal(await one.deleteShop(shopId, last), true);
      const isDeletion = ({ shops: [shop] }: Hint) => shop?.sequenceNumber === last.sequenceNumber + 1;
      const untilHeard = async (isIt: (hint: Hint) => boolean) => {
        for (const endMs = Date.now() + 30_000; !ofOther.some(isIt); ) {
          assert.ok(Date.now() < endMs);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      };
      await untilHeard(isDeletion);
      one.askForBeats();
      await untilHeard(({ kind, shops }) => kind === 'appended' && shops.length === 0);
      endOther();
      endOne();
      const isOfShop = (hint: Hint) =>
        // The hint of the first append may come this late, too.
        hint.shops.every(({ shopId: id, sequenceNumber: number }) => {
          return id === shopId && number >= 1 && number <= last.sequenceNumber + 1;
        });
      assert.ok(
        ofOther.every((hint) => hint.kind === 'appended' && isOfShop(hint)),
        JSON.stringify(ofOther),
      );
      // Nothing of its own.
      assert.ok(
        ofOne.every((hint) => hint.kind === 'shown' && hint.run === run && isOfShop(hint)),
        JSON.stringify(ofOne),
      );
      await other.leave();
    },
  );
}
