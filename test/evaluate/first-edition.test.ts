/**
 * Answers to random carts of random shops, recorded with the last commit of the first edition of the contract. A
 * configuration and a request without later fields get the same bytes today (contract section 11). No condition is on
 * `cart_currency`, whose meaning the second edition changed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { projectRoot } from '../house/project-files.ts';

interface RecordedShop {
  readonly settings: { readonly currency: string; readonly timezone: string };
  readonly config: ShopConfig;
  readonly carts: readonly {
    readonly request: SimulateRequest;
    readonly nowMs: number;
    readonly answer: string;
  }[];
}

const file = join(projectRoot, 'data/first-edition/answers.json.gz');
const shops = JSON.parse(gunzipSync(readFileSync(file)).toString()) as readonly RecordedShop[];

test(`carts of ${shops.length} shops of the first edition get the bytes that it answered`, () => {
  let withTraces = 0;
  for (const { settings, config, carts } of shops) {
    const compiled = compileShop(config, settings);
    for (const { request, nowMs, answer } of carts) {
      const outcome = evaluate(compiled, request, nowMs);
      assert.equal(outcome.ok && outcome.value, answer, JSON.stringify(request));
      if (answer.includes('"matched"')) withTraces++;
    }
  }
  assert.ok(withTraces > 100, `${withTraces} answers have a trace of a rule`);
});
