/**
 * Findings on service codes. A code that an answer offers twice: a checkout cannot tell the rates apart. A code that a check
 * names but no method or blended rate has, such as a misspelled one: a check that expects the rate can never pass, and a
 * check that rules it out always passes.
 *
 * Two methods may share a code if one replaces the other or rules never show both, so a pair is reported only with a
 * probe cart whose answer has both.
 */
import type { Expectation } from '../domain/expectation.ts';
import { type Draft, draftOf, quoted, recordOf } from './draft.ts';
import type { ShopFacts } from './shop-facts.ts';

export function* serviceCodeFindings(shop: ShopFacts): Generator<Draft> {
  yield* unknownCodes(shop);
  for (const { kind, earlier, later, probe } of shop.run.sharedCodes) {
    const { serviceCode } = later;
    const message = `${quoted(later.name)} and ${quoted(earlier.name)} can be offered together with the same service code ${quoted(serviceCode)}.`;
    yield draftOf('duplicate_service_code', recordOf(kind, later), message, () =>
      shop.witnesses.confirmed(
        probe,
        ({ rates }) => rates.filter((rate) => rate.serviceCode === serviceCode).length > 1,
      ),
    );
  }
}

/** Checks that name a code which no method or blended rate has. */
function* unknownCodes({ config }: ShopFacts): Generator<Draft> {
  const { methods, blendedRates, checks = [] } = config;
  const known = new Set([...methods, ...blendedRates].map(({ serviceCode }) => serviceCode));
  for (const check of checks.filter(({ enabled }) => enabled)) {
    const code = check.expectations.flatMap(codesOf).find((each) => !known.has(each));
    if (code === undefined) continue;
    const message = `The check names the service code ${quoted(code)}, which no method or blended rate has.`;
    yield draftOf('check_of_unknown_service', recordOf('check', check), message);
  }
}

function codesOf(expectation: Expectation): readonly string[] {
  if (expectation.kind === 'rates') return expectation.rates.map(({ serviceCode }) => serviceCode);
  return 'serviceCode' in expectation ? [expectation.serviceCode] : [];
}
