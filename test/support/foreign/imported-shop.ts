/** An imported configuration at work: executed in a shop and simulated. */
import assert from 'node:assert/strict';
import { type CompiledShop, compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import type { Imported } from '../../../src/engine/import/source-report.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import { TrialShop } from '../../engine/change/trial-shop.ts';

const check = compileSchema(ConfigData);

export function shopOf({ data, errors }: Imported): CompiledShop {
  assert.deepEqual(errors, []);
  assert.ok(check.check(data), check.defects(data, 5).join('; '));
  const trial = new TrialShop();
  const decided = trial.try({ kind: 'executeConfig', data });
  assert.ok(decided.ok, decided.ok ? '' : decided.message);
  return compileShop(decided.value.state.config as ShopConfig, decided.value.state.settings);
}

/** Names and prices of what is offered, sorted. */
export function offered(shop: CompiledShop, request: SimulateRequest): [string, number][] {
  const outcome = evaluate(shop, request, 0);
  assert.ok(outcome.ok);
  const { rates } = JSON.parse(outcome.value) as SimulateAnswer;
  return sorted(rates.map(({ serviceName, totalPrice }) => [serviceName, totalPrice]));
}

export const sorted = (rates: [string, number][]): [string, number][] =>
  rates.sort(([a, x], [b, y]) => x - y || (a < b ? -1 : a > b ? 1 : 0));
