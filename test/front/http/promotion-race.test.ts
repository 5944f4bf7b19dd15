/** Only a changeset that the gate has judged is promoted; after a write in between: 409 (contract section 10.2). */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { giveDemoKey } from '../../../src/front/command-line/demo-shop.ts';
import { LiveKeyRing } from '../../../src/shop/actor/key-ring.ts';
import type { ShadowAccess } from '../../../src/shop/shadow/live-shadow.ts';
import { openShop, until } from '../../shop/actor/shop-stage.ts';
import { NO_RESULTS, TestServer } from '../../support/test-server.ts';

/** A shadow whose answer to the gate waits for the test. */
class HeldShadow implements ShadowAccess {
  readonly results = NO_RESULTS.results;
  readonly keptCarts = NO_RESULTS.keptCarts;
  readonly addReplay = NO_RESULTS.addReplay;
  readonly elsewhere = NO_RESULTS.elsewhere;
  isHeld = false;
  readonly #waiting: (() => void)[] = [];

  async resultsSinceEdit(...asked: Parameters<ShadowAccess['resultsSinceEdit']>) {
    const results = NO_RESULTS.resultsSinceEdit(...asked);
    if (this.isHeld) await new Promise<void>((resume) => this.#waiting.push(resume));
    return results;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  release(): void {
    this.isHeld = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}

const KEY = 'rw_key_of_the_race_0123456789abcdef';
const shadow = new HeldShadow();
const { stage, shop } = await openShop();
await giveDemoKey(shop, KEY, () => {});
const { log, clock, directory: shops } = stage;
const keys = new LiveKeyRing({ log, clock, logger: silentLogger });
const server = await TestServer.start({}, { keys, shops, shadow, clock });
after(async () => {
  await server.stop();
  await shops.close();
});

const call = async (path: string, body: object, verb = 'POST') => {
  const { status, text } = await server.call(path, { verb, body, key: KEY });
  return { status, text };
};
const act = (action: string) => call('/api/staging', { action });

/** Begins a promotion; resolves with it when the gate has begun to measure. */
async function promotionBeingJudged() {
  shadow.isHeld = true;
  const promotion = act('promote');
  await until(() => shadow.isWaiting);
  return async () => {
    shadow.release();
    return promotion;
  };
}

const WRITES: readonly (readonly [what: string, write: () => Promise<{ readonly status: number }>])[] = [
  ['a write to the changeset', () => call('/api/groups', { name: 'Unjudged' })],
  ['another gate', () => call('/api/shop', { promotionGate: { evaluatedMin: 1 } }, 'PUT')],
  [
    'another changeset',
    async () => {
      assert.equal((await act('discard')).status, 200);
      assert.equal((await act('enter')).status, 200);
      return call('/api/groups', { name: 'Other' });
    },
  ],
];

for (const [what, write] of WRITES) {
  test(`${what} between judgement and promotion is 409, and nothing is promoted`, async () => {
    assert.equal((await call('/api/shop', { promotionGate: { noLostCarts: true } }, 'PUT')).status, 200);
    assert.equal((await act('enter')).status, 200);
    assert.equal((await call('/api/groups', { name: 'Judged' })).status, 201);
    const { version } = shop.state;
    const finish = await promotionBeingJudged();
    assert.ok((await write()).status < 300);
    const refused = await finish();
    assert.equal(refused.status, 409, refused.text);
    assert.match(refused.text, /"CONFLICT".*try again/);
    assert.equal(shop.state.version, version);
    assert.ok(shop.state.staging !== null);
    assert.equal((await act('discard')).status, 200);
  });
}

test('without a write in between, the changeset that was judged is promoted', async () => {
  assert.equal((await call('/api/shop', { promotionGate: { noLostCarts: true } }, 'PUT')).status, 200);
  assert.equal((await act('enter')).status, 200);
  assert.equal((await call('/api/groups', { name: 'Judged' })).status, 201);
  const finish = await promotionBeingJudged();
  const promoted = await finish();
  assert.equal(promoted.status, 200, promoted.text);
  assert.equal(shop.state.staging, null);
  assert.ok(shop.state.config.productGroups.some(({ name }) => name === 'Judged'));
});
