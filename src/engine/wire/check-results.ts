/** Results of a run of checks (contract section 10.1). */
import Type, { type Static } from '#typebox';
import { Expectation, ExpectedRate } from '../domain/expectation.ts';
import { count, Id, orNull, strict, untitled } from '../domain/schema.ts';
import { Name } from '../domain/text.ts';
import { VersionReference } from '../domain/version-reference.ts';
import { View } from './staging.ts';

/** Checks that one request can name. */
const CHECKS_NAMED_MAX = 1_000;

const UnmetExpectation = untitled({
  expectation: Expectation,
  actual: Type.Array(ExpectedRate, { description: 'All rates that are offered' }),
  reason: Type.String({ description: 'One sentence; names the rule that hides the method, where one does' }),
});
export type UnmetExpectation = Readonly<Static<typeof UnmetExpectation>>;

export const CheckResult = strict('CheckResult', {
  checkId: orNull(Id, { description: 'null in a preview, where execute will make the id' }),
  name: Name,
  passed: Type.Boolean(),
  failures: Type.Array(UnmetExpectation),
});
export type CheckResult = Readonly<Static<typeof CheckResult>>;

export const CheckResults = strict('CheckResults', {
  versionId: orNull(Id, {
    description: 'The version that was asked; null for a configuration that is no version yet',
  }),
  passed: count,
  failed: count,
  results: Type.Array(CheckResult),
});
export type CheckResults = Readonly<Static<typeof CheckResults>>;

export const RunChecks = strict('RunChecks', {
  action: Type.Literal('run'),
  view: Type.Optional(View),
  version: Type.Optional(VersionReference),
  ids: Type.Optional(
    Type.Array(Id, { maxItems: CHECKS_NAMED_MAX, 'x-accepts': `up to ${CHECKS_NAMED_MAX} ids of checks` }),
  ),
});
export type RunChecks = Readonly<Static<typeof RunChecks>>;
