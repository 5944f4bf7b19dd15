/** What a replacement of records would do, by its preview: how much changes, failing checks, carts with other rates, findings. */
import type { Schemas } from '../../client/call-table.ts';
import { aboutEffects } from '../changeset/draft-evidence.ts';
import { EffectSamples } from '../changeset/samples.tsx';
import { changeCounts, counted } from '../words.ts';
import { FailingChecks } from './failing-checks.tsx';
import { Notice } from './notice.tsx';
import { LongList } from './rows.tsx';

export const isNothing = ({ summary: { added, modified, removed } }: Schemas['PreviewAnswer']): boolean =>
  added + modified + removed === 0;

export function Consequences({ preview }: { preview: Schemas['PreviewAnswer'] }) {
  const { summary, warnings, checks, effects } = preview;
  const failing = checks.results.filter(({ passed }) => !passed);
  return (
    <>
      {isNothing(preview) ? null : <p>Records: {changeCounts(summary)}.</p>}
      {failing.length === 0 ? null : (
        <Notice kind="bad">
          <p>
            {failing.length} of {counted(checks.passed + checks.failed, 'check')} would fail:
          </p>
          <FailingChecks results={failing} />
        </Notice>
      )}
      {isNothing(preview) ? null : aboutEffects(effects).map(({ text }) => <p key={text}>{text}.</p>)}
      <EffectSamples samples={effects.samples} />
      {warnings.length === 0 ? null : (
        <details>
          <summary>
            Findings after this change <span className="count">{warnings.length}</span>
          </summary>
          <LongList rows={warnings}>{({ severity, message }) => `${severity}: ${message}`}</LongList>
        </details>
      )}
    </>
  );
}
