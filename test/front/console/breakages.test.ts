/** Which version broke a check, over a history whose rates are a price for each version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schemas } from '../../../src/front/client/call-table.ts';
import { type Breakage, readBreakages } from '../../../src/front/console/checks/breakages.ts';

type Calls = Parameters<typeof readBreakages>[0];

const CHECK = { id: 'check', request: { destination: { country: 'US' }, items: [] }, at: null };
/** As the service limits an answer, but smaller. */
const FLIPS_MAX = 2;

/** A shop whose version `n` has the price `prices[n - 1]`; the check expects 5. `sizes`: last version of a batch -> its size. */
function shop(prices: readonly number[], sizes: Readonly<Record<number, number>> = {}) {
  const asked: string[] = [];
  const priceOf = (number: number): number => prices[number - 1] ?? 0;
  const row = (number: number) => ({
    ...{ id: `version_${number}`, number },
    ...(number in sizes ? { batch: { id: 'batch', size: sizes[number] } } : {}),
  });
  const answer = (value: unknown) => ({ ok: true, value, versionId: `version_${prices.length}` });
  const calls = {
    createOrRunChecks: async ({ version }: { version?: string }) => {
      if (version !== undefined) asked.push(version);
      const passed = priceOf(Number(version ?? prices.length)) === 5;
      return answer({ failed: Number(!passed), results: [{ checkId: CHECK.id, passed }] });
    },
    listChecks: async () => answer({ checks: [CHECK] }),
    listVersions: async () => {
      const rows: unknown[] = [];
      for (let number = prices.length; number > 0; number -= sizes[number] ?? 1) rows.push(row(number));
      return answer({ versions: rows });
    },
    changeVersion: async ({ from = 'version_1' }: { from?: string }) => {
      const start = Number(from.replace('version_', ''));
      const flips = prices.flatMap((price, at) =>
        at >= start && price !== prices[at - 1] ? [{ version: { ...row(at + 1), batch: undefined } }] : [],
      );
      return answer({ flips: flips.slice(0, FLIPS_MAX), limited: flips.length > FLIPS_MAX });
    },
  } as unknown as Calls;
  return { calls, asked };
}

async function breakageIn(
  { calls }: ReturnType<typeof shop>,
  view: 'live' | 'staged' = 'live',
  id = CHECK.id,
): Promise<Breakage | undefined> {
  const failing = [{ ...CHECK, id }] as unknown as Schemas['Check'][];
  const read = await readBreakages(calls, view, failing, new AbortController().signal);
  assert.ok(read.ok);
  return read.value.get(id);
}

test('the newest version before which the check passed broke it, however many changes there were', async () => {
  const cases: readonly [prices: readonly number[], broke: number][] = [
    [[5, 6], 2],
    [[5, 6, 6, 7], 2],
    [[5, 6, 5, 7, 8, 9], 4],
    [[4, 5, 6, 7, 8, 9, 5, 3], 8],
  ];
  for (const [prices, broke] of cases) {
    const found = await breakageIn(shop(prices));
    assert.ok(found?.by === 'version');
    assert.deepEqual([found.version.number, found.before], [broke, broke - 1]);
  }
});

test('a batch is one change: what it broke and mended itself is not looked at', async () => {
  const found = await breakageIn(shop([5, 5, 6, 7, 7], { 4: 3 }));
  assert.ok(found?.by === 'version');
  assert.deepEqual([found.version.number, found.before], [4, 1]);
  // Within the batch it passed, before it not: an older change is to blame.
  const older = await breakageIn(shop([5, 6, 5, 7], { 4: 2 }));
  assert.ok(older?.by === 'version');
  assert.deepEqual([older.version.number, older.before], [2, 1]);
});

test('what a draft breaks is told from what was broken before, and from what never passed', async () => {
  assert.deepEqual(await breakageIn(shop([4, 5]), 'staged'), { by: 'draft' });
  assert.equal((await breakageIn(shop([5, 4]), 'staged'))?.by, 'version');
  // The draft made the check.
  assert.deepEqual(await breakageIn(shop([4, 5]), 'staged', 'check_new'), { by: 'none', tried: 0 });
  assert.deepEqual(await breakageIn(shop([1])), { by: 'none', tried: 0 });
  const never = shop(Array.from({ length: 50 }, (_, at) => 10 + at));
  assert.deepEqual(await breakageIn(never), { by: 'none', tried: 20 });
  assert.equal(never.asked.length, 20);
});
