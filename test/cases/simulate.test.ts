/** The shared simulation cases: a configuration, a request, and the one answer that is right. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import { evaluate } from '../../src/engine/evaluate/evaluate.ts';
import type { SimulateAnswer } from '../../src/engine/wire/answer.ts';
import { referenceSimulate } from '../support/reference/simulate.ts';

interface SimulateCases {
  readonly shop: { readonly currency: string; readonly timezone: string };
  readonly config: ShopConfig;
  readonly cases: readonly {
    readonly name: string;
    readonly query: { readonly at: string };
    readonly request: SimulateRequest;
    readonly response: SimulateAnswer;
  }[];
}

const file = new URL('../../../test/cases/simulate.json', import.meta.url);
const { shop, config, cases } = JSON.parse(readFileSync(file, 'utf8')) as SimulateCases;

describe('the reference evaluator gives exactly the answer of each shared case', () => {
  for (const { name, query, request, response } of cases) {
    it(name, () => {
      const result = referenceSimulate(config, shop, request, Date.parse(query.at));
      assert.deepEqual(result, { status: 200, answer: response });
      // The order of the fields too: a client may show the text as it comes.
      assert.equal(JSON.stringify(result.status === 200 && result.answer), JSON.stringify(response));
    });
  }
});

describe('the compiled evaluator gives exactly the answer of each shared case', () => {
  const compiled = compileShop(config, shop);
  for (const { name, query, request, response } of cases) {
    it(name, () => {
      const outcome = evaluate(compiled, request, Date.parse(query.at));
      assert.ok(outcome.ok);
      assert.deepEqual(JSON.parse(outcome.value), response);
    });
  }
});
