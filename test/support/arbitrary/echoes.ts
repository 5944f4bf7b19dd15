/**
 * Conditions that repeat an earlier condition of the shop, some with another scope, mostly for another method and
 * group: rules share predicates, and predicates that differ only in scope or group must be kept separate.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { scopesOf } from './conditions.ts';

interface Echo {
  /** 0 = repeat a condition here. */
  readonly use: number;
  /** How many conditions back. */
  readonly back: number;
  readonly scope: number;
}

export const echoes: Arbitrary<readonly Echo[]> = fc.array(
  fc.record({ use: fc.nat(4), back: fc.nat(20), scope: fc.nat(19) }, { noNullPrototype: true }),
  { minLength: 11, maxLength: 11 },
);

export function withEchoes(config: ShopConfig, all: readonly Echo[]): ShopConfig {
  const earlier: Condition[] = [];
  const next = (condition: Condition): Condition => {
    const result = echoOf(all[earlier.length % all.length], earlier) ?? condition;
    earlier.push(result);
    return result;
  };
  return {
    ...config,
    methods: config.methods.map((method) => ({
      ...method,
      rules: method.rules.map((rule) => ({ ...rule, conditions: rule.conditions.map(next) })),
    })),
  };
}

function echoOf(echo: Echo | undefined, earlier: readonly Condition[]): Condition | null {
  if (echo === undefined || echo.use !== 0) return null;
  const source = earlier[earlier.length - 1 - echo.back];
  if (source === undefined) return null;
  // The same condition, for a method of another group, or one that differs only in its scope.
  if (echo.scope < 8) return source;
  const scopes = scopesOf(source.conditionType);
  return { ...source, scope: scopes[echo.scope % scopes.length] ?? source.scope };
}
