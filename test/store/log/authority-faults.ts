/** The promises of the `Authority` port when answers are lost, tested with every adapter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendDefinitely, settleAppend } from '../../../src/store/log/append-definitely.ts';
import type { Authority } from '../../../src/store/log/authority.ts';
import { headAfter, NO_HEAD } from '../../../src/store/log/record-codec.ts';
import { appendMarks, groupOf, kindOf, marksBehind, newShop, newShopId } from './authority-shops.ts';

/** `lostBefore`: the request never reached the database. `lostAfter`: it was executed. */
export type LostAnswer = 'lostBefore' | 'lostAfter';

export interface FaultyAuthority {
  readonly authority: Authority;
  /** Makes the next append of this process fail without an answer. */
  readonly loseNext: (fate: LostAnswer) => void;
  readonly close: () => Promise<void>;
}

export interface FaultHarness {
  readonly open: () => Promise<FaultyAuthority>;
}

/** A pause before an attempt is repeated. */
export const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

export function describeLostAnswers(adapter: string, harness: FaultHarness): void {
  const promise = (title: string, body: (faulty: FaultyAuthority, other: Authority) => Promise<void>) => {
    test(`${adapter}: ${title}`, async () => {
      const [faulty, other] = await Promise.all([harness.open(), harness.open()]);
      try {
        await body(faulty, other.authority);
      } finally {
        await faulty.close();
        await other.close();
      }
    });
  };

  for (const fate of ['lostBefore', 'lostAfter'] as const) {
    promise(`an append whose answer is lost is unknown (${fate})`, async ({ authority, loseNext }, other) => {
      const { shopId, head } = await newShop(authority, 'a');
      loseNext(fate);
      assert.equal(await kindOf(authority.append(groupOf(shopId, head, 'b'))), 'outcomeUnknown');
      assert.deepEqual(await marksBehind(other, shopId, 1), fate === 'lostAfter' ? ['2:b'] : []);
    });

    promise(
      `a group that is sent again is appended once, also the first (${fate})`,
      async (faulty, other) => {
        const { authority, loseNext } = faulty;
        const { shopId, head } = await newShop(authority, 'a');
        const group = groupOf(shopId, head, 'b', 'c');
        loseNext(fate);
        assert.equal((await appendDefinitely(authority, group, soon)).kind, 'appended');
        assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:b', '3:c']);
        const fresh = newShopId();
        loseNext(fate);
        assert.equal(
          (await appendDefinitely(authority, groupOf(fresh, NO_HEAD, 'first'), soon)).kind,
          'appended',
        );
        assert.deepEqual(await marksBehind(other, fresh), ['1:first']);
      },
    );
  }

  promise('an appended group is settled as appended, also after appends of others', async (faulty, other) => {
    const { authority, loseNext } = faulty;
    const { shopId, head } = await newShop(authority, 'a');
    const group = groupOf(shopId, head, 'b');
    loseNext('lostAfter');
    assert.equal(await kindOf(authority.append(group)), 'outcomeUnknown');
    await appendMarks(other, shopId, headAfter(group), 'c', 'd');
    assert.equal((await settleAppend(authority, group, soon)).kind, 'appended');
    assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:b', '3:c', '4:d']);
  });

  promise('a group is stale when another writer was faster', async ({ authority, loseNext }, other) => {
    const { shopId, head } = await newShop(authority, 'a');
    // Longer than the group of the other writer.
    const group = groupOf(shopId, head, 'b', 'c', 'd');
    loseNext('lostBefore');
    const settled = appendDefinitely(authority, group, async () => {
      await appendMarks(other, shopId, head, 'x');
    });
    assert.equal((await settled).kind, 'staleWriter');
    assert.deepEqual(await marksBehind(other, shopId), ['1:a', '2:x']);
  });

  promise('an outcome stays unknown when the record that settles it was removed', async (faulty, other) => {
    const { authority, loseNext } = faulty;
    const { shopId, head } = await newShop(authority, 'a');
    const group = groupOf(shopId, head, 'b');
    loseNext('lostAfter');
    const settled = appendDefinitely(authority, group, async () => {
      await appendMarks(other, shopId, headAfter(group), 'c');
      await other.writeCheckpoint(shopId, { sequenceNumber: 2, stored: Buffer.alloc(9) });
      await other.trim(shopId, 2);
    });
    assert.equal((await settled).kind, 'outcomeUnknown');
  });

  promise('when answers are lost at random, no record is lost or appended twice', async (faulty, other) => {
    const { authority, loseNext } = faulty;
    const shops = await Promise.all(Array.from({ length: 3 }, () => newShop(authority, 'first')));
    let lost = 0;
    const acknowledged: string[][] = shops.map(() => ['first']);
    const write = async (writer: Authority, name: string, shop: number) => {
      const { shopId } = shops[shop] ?? assert.fail();
      for (let round = 0; round < 12; round++) {
        if (writer === authority && round % 2 === 0) {
          lost++;
          loseNext(round % 4 === 0 ? 'lostAfter' : 'lostBefore');
        }
        const { state } = await writer
          .tail(shopId, Number.MAX_SAFE_INTEGER - 1)
          .catch(() => other.tail(shopId, 0));
        const group = groupOf(shopId, state?.head ?? NO_HEAD, `${name}${round}`);
        if ((await appendDefinitely(writer, group, soon)).kind !== 'appended') continue;
        const place = group.records[0]?.sequenceNumber ?? 0;
        (acknowledged[shop] ?? assert.fail())[place - 1] = `${name}${round}`;
      }
    };
    await Promise.all(
      shops.flatMap((_, shop) => [
        write(authority, 'f', shop),
        write(other, 'o', shop),
        write(other, 'p', shop),
      ]),
    );
    assert.equal(lost, 18);
    for (const [index, { shopId }] of shops.entries()) {
      assert.deepEqual(
        await marksBehind(other, shopId),
        acknowledged[index]?.map((mark, place) => `${place + 1}:${mark}`),
      );
    }
  });
}
