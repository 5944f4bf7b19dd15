/**
 * Findings on checks: a service code that no method or blended rate has. A check that expects such a rate can never pass; a
 * check that rules it out passes whatever happens, as with a misspelled code.
 */
import type { Expectation } from '../domain/expectation.ts';
import { type Draft, plainDraft, quoted, recordOf } from './draft.ts';
import type { ShopFacts } from './shop-facts.ts';

export function* checkFindings({ config }: ShopFacts): Generator<Draft> {
  const { methods, blendedRates, checks = [] } = config;
  const known = new Set([...methods, ...blendedRates].map(({ serviceCode }) => serviceCode));
  for (const check of checks.filter(({ enabled }) => enabled)) {
    const code = check.expectations.flatMap(codesOf).find((each) => !known.has(each));
    if (code === undefined) continue;
    const message = `The check names the service code ${quoted(code)}, which no method or blended rate has.`;
    yield plainDraft('check_of_unknown_service', recordOf('check', check), message);
  }
}

function codesOf(expectation: Expectation): readonly string[] {
  if (expectation.kind === 'rates') return expectation.rates.map(({ serviceCode }) => serviceCode);
  return 'serviceCode' in expectation ? [expectation.serviceCode] : [];
}
