/**
 * What is wrong now with the live configuration: checks that fail, findings of the lint, places without a method for a
 * group, and what no cart used lately. Each leads to the tester with a cart that shows it.
 */
import { useMemo } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { FailureNotice, Loading, Notice } from '../parts/notice.tsx';
import { isAwaited, useAnswer } from '../parts/use-answer.ts';
import { ChecksPanel } from './checks-panel.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { GridPanel } from './grid-panel.tsx';
import { PlaceGrid } from './place-grid.ts';
import { UnusedPanel } from './unused-panel.tsx';

const LIVE = { query: { view: 'live' } } as const;

export function OverviewPage() {
  const app = useApp();
  const { calls } = useSignedIn();
  const config = useAnswer((signal) => calls.getConfig({ ...LIVE, signal }), []);
  const coverage = useAnswer((signal) => calls.getCoverage({ signal }), []);
  const grid = useMemo(
    () => (config.value === null ? null : new PlaceGrid(config.value, coverage.value)),
    [config.value, coverage.value],
  );
  return (
    <div class="stack">
      <h1 class="only-read">Overview</h1>
      {app.changeset.value === null ? null : (
        <Notice kind="info">This page is about the live configuration, without the changeset.</Notice>
      )}
      <div class="split overview">
        <div class="stack in-order">
          <ChecksPanel checks={config.value?.checks ?? null} />
          {/* A shop without zones has nothing to examine. */}
          {grid?.rows.length === 0 ? null : (
            <>
              <FindingsPanel />
              {config.value === null || grid === null ? null : (
                <UnusedPanel config={config.value} coverage={coverage} grid={grid} />
              )}
            </>
          )}
        </div>
        <div class="panel stack" aria-busy={config.isLoading}>
          <FailureNotice failure={config.failure} />
          {grid === null || isAwaited(coverage) ? (
            config.failure === null && <Loading what="the configuration" />
          ) : (
            <GridPanel grid={grid} isCounted={coverage.value !== null} />
          )}
        </div>
      </div>
    </div>
  );
}
