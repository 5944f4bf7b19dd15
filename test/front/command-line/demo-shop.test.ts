import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import { systemClock } from '../../../src/base/runtime/clock.ts';
import { createIdSource } from '../../../src/base/runtime/id-source.ts';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import {
  DEMO_SHOP_ID,
  giveDemoKey,
  keyText,
  prepareDemoShop,
  welcomeText,
} from '../../../src/front/command-line/demo-shop.ts';
import { readPlans } from '../../../src/front/command-line/plan-file.ts';
import { readSettings } from '../../../src/front/settings.ts';
import { LiveKeyRing } from '../../../src/shop/actor/key-ring.ts';
import { DIRECTORY_LIMITS, LiveShopDirectory } from '../../../src/shop/actor/shop-directory.ts';
import { NO_WATCH } from '../../../src/shop/reader/simulation-watch.ts';
import { ControlledLog } from '../../shop/actor/controlled-log.ts';

const settings = readSettings({});

/** A start of the server on this log, as far as the demo shop is concerned. */
function startOn(log: ControlledLog) {
  const common = { log, clock: systemClock, logger: silentLogger };
  const shops = new LiveShopDirectory({
    ...common,
    ids: createIdSource(systemClock),
    metrics: createMetrics(),
    plans: readPlans(settings),
    limits: DIRECTORY_LIMITS,
    watch: NO_WATCH,
    onKeyRevoked: () => {},
    onFatal: () => {},
  });
  return { shops, keys: new LiveKeyRing(common) };
}

/** The first start on a new log, with the demo shop made. */
async function startWithDemoShop() {
  const log = new ControlledLog();
  const { shops, keys } = startOn(log);
  const shop = await prepareDemoShop(log, shops);
  assert.ok(shop !== null);
  return { log, keys, shop };
}

test('the first start makes the complete demo shop, with its plan and one admin key', async () => {
  const { log, keys, shop } = await startWithDemoShop();
  const secret = await giveDemoKey(shop, null, () => {});
  assert.equal(keys.find(`Bearer ${secret}`)?.shopId, DEMO_SHOP_ID);
  assert.equal(keys.find(secret ?? '')?.permission, 'admin');
  assert.equal(shop.state.settings.plan, 'enterprise');
  assert.ok(shop.state.config.methods.length > 10);
  assert.equal(await prepareDemoShop(log, startOn(log).shops), null);
});

test('a chosen key becomes the key of the demo shop, and is not shown', async () => {
  const { keys, shop } = await startWithDemoShop();
  const chosen = 'a-key-of-my-own-choice';
  const shown: string[] = [];
  assert.equal(await giveDemoKey(shop, chosen, (text) => shown.push(text)), null);
  assert.ok(keys.find(chosen));
  assert.deepEqual(shown, []);
});

test('a key is shown before it is stored, so that every stored key was shown', async () => {
  const { keys, shop } = await startWithDemoShop();
  const shown: string[] = [];
  const secret = await giveDemoKey(shop, null, (text) => {
    assert.equal(keys.find(text), null);
    shown.push(keyText(text));
  });
  assert.ok(keys.find(secret ?? ''));
  assert.deepEqual(shown, [`Admin key of the demo shop, shown only now: ${secret}\n`]);
});

test('a start that was killed after any record is completed by the next start', async () => {
  const { log: whole, shop } = await startWithDemoShop();
  await giveDemoKey(shop, null, () => {});
  const records = whole.records(DEMO_SHOP_ID);
  assert.equal(records.length, 4);
  for (let kept = 0; kept < records.length; kept++) {
    const log = new ControlledLog();
    if (kept > 0) await log.append(DEMO_SHOP_ID, 0, records.slice(0, kept));
    const next = startOn(log);
    const healed = await prepareDemoShop(log, next.shops);
    assert.ok(healed !== null, `after ${kept} records`);
    assert.ok(next.keys.find((await giveDemoKey(healed, null, () => {})) ?? ''));
    assert.equal(healed.state.config.methods.length, shop.state.config.methods.length);
    assert.deepEqual(healed.state.settings, shop.state.settings);
  }
});

test('no demo shop is made in a log with another shop', async () => {
  const log = new ControlledLog();
  const { shops } = startOn(log);
  const own = { id: 'shop_own', name: 'Own', currency: 'EUR', timezone: 'UTC', plan: 'starter' };
  assert.ok((await shops.createShop(own)).ok);
  assert.equal(await prepareDemoShop(log, shops), null);
  assert.deepEqual([...log.shopIds()], ['shop_own']);
});

const curlWords = (text: string): string[] => {
  const line = text.split('\n').find((words) => words.startsWith('Try: ')) ?? '';
  const script = `${line.slice('Try: curl'.length)}`;
  const output = execFileSync('sh', ['-c', `for word in ${script}; do printf '%s\\n' "$word"; done`], {
    encoding: 'utf8',
    env: { RATEWRIGHT_KEY: 'the key' },
  });
  return output.trimEnd().split('\n');
};

test('a shell reads the printed curl line correctly with any key', () => {
  for (const key of ['rw_abcdefghijklmnop', `it's $HOME "quoted" \\`.replaceAll(' ', '_')]) {
    const text = welcomeText('127.0.0.1', 8080, key);
    const words = curlWords(text);
    assert.ok(words.includes('http://127.0.0.1:8080/api/simulate'));
    assert.ok(words.includes(`Authorization: Bearer ${key}`));
    assert.match(words.at(-1) ?? '', /^@.*data\/carts\/.*\.json$/);
  }
});

test('a later start prints the variable of the key instead of the key', () => {
  const text = welcomeText('0.0.0.0', 9, null);
  assert.match(text, /^Ratewright listens on http:\/\/0\.0\.0\.0:9\n/);
  const words = curlWords(text);
  assert.ok(words.includes('http://127.0.0.1:9/api/simulate'));
  assert.ok(words.includes('Authorization: Bearer the key'));
});

test('an IPv6 address is printed in brackets', () => {
  assert.match(welcomeText('::1', 9, null), /^Ratewright listens on http:\/\/\[::1\]:9\n/);
});
