/** The gate of the shop: each criterion, whether it passes, and the evidence against it. */
import type { Schemas } from '../../client/call-table.ts';
import { pathLabel } from '../labels.ts';
import { linkTo } from '../place.ts';
import { ShadowSample } from './shadow-sample.tsx';

type Criterion = Schemas['GateReport']['criteria'][number];

export function Gate({ report }: { readonly report: Schemas['GateReport'] }) {
  return (
    <section class="stack" aria-label="Gate">
      <h2>Gate: {report.passed ? 'passes' : 'does not pass'}</h2>
      {report.criteria.length === 0 ? <p class="quiet">The shop has no criteria.</p> : null}
      <Criteria criteria={report.criteria} />
    </section>
  );
}

export const Criteria = ({ criteria }: { readonly criteria: readonly Criterion[] }) => (
  <ul class="lines entries">
    {criteria.map(({ criterion, limit, actual, passed, evidence }) => (
      <li key={criterion} class="entry">
        <span class={`badge ${passed ? 'good' : 'bad'}`}>{passed ? '✓ holds' : '✕ does not hold'}</span>{' '}
        {pathLabel(`/${criterion}`)}: <strong>{actual}</strong> <span class="quiet">(limit {limit})</span>
        {evidence.length === 0 ? null : (
          <ul class="lines">
            {evidence.map((each, index) => (
              // Evidence has no identity but its place.
              <li key={index} class="entry">
                <Evidence evidence={each} />
              </li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
);

/** A check that fails, a finding, a cart or a pair of zone and group. */
function Evidence({ evidence }: { readonly evidence: Criterion['evidence'][number] }) {
  if ('differences' in evidence) return <ShadowSample sample={evidence} />;
  if ('zoneName' in evidence) return `${evidence.zoneName}: ${evidence.productGroupName}, not seen`;
  if ('message' in evidence) return evidence.message;
  const { checkId, name, failures } = evidence;
  return (
    <>
      {checkId === null ? name : <a href={linkTo('checks', { open: checkId })}>{name}</a>}:{' '}
      {failures.map(({ reason }) => reason).join(' ')}
    </>
  );
}
