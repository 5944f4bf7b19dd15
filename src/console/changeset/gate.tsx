/** The gate of the shop: each criterion, whether it passes, and how much evidence there is against it. */
import type { Schemas } from '../../client/call-table.ts';

const CRITERIA = {
  checksPass: 'Failing checks',
  noNewLintErrors: 'New errors of the lint',
  noLostCarts: 'Carts that lose all rates',
  differentPercentMax: 'Percent of carts with other rates, at most',
  coveragePercentMin: 'Percent of zones and groups seen, at least',
  evaluatedMin: 'Evaluated carts, at least',
} as const;

export function Gate({ report }: { readonly report: Schemas['GateReport'] }) {
  return (
    <section aria-label="Gate">
      <h2>Gate: {report.passed ? 'passes' : 'does not pass'}</h2>
      {report.criteria.length === 0 ? <p class="quiet">The shop has no criteria.</p> : null}
      <ul class="lines">
        {report.criteria.map(({ criterion, limit, actual, passed, evidence }) => (
          <li key={criterion} class="entry">
            <strong>{passed ? 'Passed' : 'Failed'}</strong> {CRITERIA[criterion]}: {actual}{' '}
            <span class="quiet">(limit {limit})</span>
            {evidence.length === 0 ? null : (
              <details>
                <summary>Evidence ({evidence.length})</summary>
                <pre>{JSON.stringify(evidence, null, 2)}</pre>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
