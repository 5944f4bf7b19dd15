// The shadow's worker dies repeatedly during its work, in a real server: simulations are not affected, the comparison
// continues with the next thread, and its counts are correct. The long form:
// `RATEWRIGHT_SHADOW_DEATHS=100 npm test -- shadow-deaths`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ShadowResults } from '../../src/wire/shadow-results.ts';
import { projectRoot } from '../house/project-files.ts';
import { answered, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const DEATHS = Number(process.env['RATEWRIGHT_SHADOW_DEATHS'] ?? 3);
const PRELOAD = pathToFileURL(`${projectRoot}/dist/test/end-to-end/troubled-shadow.js`).href;
/** On a busy machine a thread of the lowest priority starts slowly. */
const DEADLINE_MS = 3_000;
const TROUBLES = ['throw', 'exit', 'hang'] as const;
const CARTS_EACH = 10;
/** Number of pauses of 25 ms each. */
const TURNS_MAX = 2_400;

const PATH = '/api/simulate?at=2026-11-18T17:00:00Z';
/** Sent as the locale, which does not appear in an answer. */
const cartWith = (locale: string) => ({
  destination: { country: 'US', province: 'CA', postalCode: '90210' },
  items: [{ quantity: 1, grams: 500, price: 2_000 }],
  locale,
});

class Comparison {
  readonly #server: ServerProcess;
  readonly #expected: string;
  sent = 0;

  constructor(server: ServerProcess, expected: string) {
    this.#server = server;
    this.#expected = expected;
  }

  /** Sends these carts at the same time; each must get the answer of an undisturbed server. */
  async simulate(locales: readonly string[]): Promise<void> {
    this.sent += locales.length;
    const replies = locales.map((locale) => this.#server.call(PATH, { body: cartWith(locale) }));
    for (const { status, text } of await Promise.all(replies)) {
      assert.equal(status, 200, text);
      assert.ok(text === this.#expected, text);
    }
  }

  async results(): Promise<ShadowResults> {
    const { staging } = answered(await this.#server.client.getStaging());
    assert.ok(staging !== null);
    return staging.shadow;
  }

  /** Resolves when everything that was sent is evaluated or dropped. */
  async settled(): Promise<ShadowResults> {
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const results = await this.results();
      if (results.evaluated + results.dropped >= this.sent) return results;
      await wait(25);
    }
    assert.fail('a simulation is neither evaluated nor dropped');
  }
}

/** The counts equal the effect of the changeset: each method costs one cent more, in every cart. */
function assertTrue({ evaluated, identical, different, byMethod, samples }: ShadowResults): void {
  assert.deepEqual([identical, different], [0, evaluated]);
  for (const { priceUp, differenceCents } of Object.values(byMethod)) {
    assert.deepEqual([priceUp, differenceCents], [evaluated, evaluated]);
  }
  assert.equal(Object.keys(byMethod).length > 0, evaluated > 0);
  assert.equal(samples.length, Math.min(100, evaluated));
}

test(`the shadow's worker dies ${DEATHS} times: answers are unchanged, and the comparison continues and stays correct`, async (context) => {
  const folder = await temporaryFolder();
  const server = await ServerProcess.start(folder.path, {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    RATEWRIGHT_POOL_DEADLINE_MS: String(DEADLINE_MS),
    RATEWRIGHT_LOG_LEVEL: 'error',
  });
  context.after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });
  const { text } = await server.call(PATH, { body: cartWith('plain') });
  const comparison = new Comparison(server, text);
  answered(await server.client.changeStaging({ action: 'enter' }));
  for (const { id } of answered(await server.client.listMethods()).methods) {
    const rule = { methodId: id, action: 'adjust_add', adjustmentValue: 1 } as const;
    answered(await server.client.createRule(rule));
  }
  const plain = new Array(CARTS_EACH).fill('plain');
  /** While a thread starts, batches may be refused or late; they are dropped and counted. */
  const continuesAfter = async (from: number): Promise<ShadowResults> => {
    for (let turn = 0; turn < TURNS_MAX / CARTS_EACH; turn++) {
      await comparison.simulate(plain);
      const results = await comparison.settled();
      if (results.evaluated > from) return results;
    }
    assert.fail('the comparison does not go on');
  };
  let seen = (await continuesAfter(0)).evaluated;
  for (let death = 0; death < DEATHS; death++) {
    const before = (await comparison.results()).dropped;
    await comparison.simulate([...plain, `trouble-${TROUBLES[death % TROUBLES.length]}`, ...plain]);
    const troubled = await comparison.settled();
    assert.ok(troubled.dropped > before, 'the worker did not get into the trouble');
    assertTrue(troubled);
    const again = await continuesAfter(troubled.evaluated);
    assertTrue(again);
    seen = again.evaluated;
  }
  const { dropped } = await comparison.results();
  context.diagnostic(`${DEATHS} deaths: ${seen} evaluated, ${dropped} dropped, ${comparison.sent} sent`);
  assert.equal(seen + dropped, comparison.sent);
  assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
  assert.equal(server.output.stderr, '');
});
