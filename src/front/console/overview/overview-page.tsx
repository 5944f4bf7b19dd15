/**
 * How the shop does, and what is wrong now with the live configuration: figures of its carts, checks that fail, findings of
 * the lint, what changed lately, what no cart used, and places without a method for a group.
 */

import { Anchor, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useSignedIn } from '../app-state.ts';
import { rowText } from '../parts/change-text.ts';
import { Answered, FailureNotice, Loading } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { isAwaited, useAnswer } from '../parts/use-answer.ts';
import { linkTo } from '../place.ts';
import { changeCounts } from '../words.ts';
import { ChecksPanel } from './checks-panel.tsx';
import { FiguresPanel } from './figures.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { GridPanel } from './grid-panel.tsx';
import { daysAgo } from './lately.ts';
import { PlaceGrid } from './place-grid.ts';
import { UnusedPanel } from './unused-panel.tsx';

const LIVE = { query: { view: 'live' } } as const;

export function OverviewPage() {
  const { calls } = useSignedIn();
  const config = useAnswer((signal) => calls.getConfig({ ...LIVE, signal }), []);
  const coverage = useAnswer((signal) => calls.getCoverage({ signal }), []);
  const grid = useMemo(
    () => (config.value === null ? null : new PlaceGrid(config.value, coverage.value)),
    [config.value, coverage.value],
  );
  const isEmpty = grid?.rows.length === 0;
  return (
    <Page
      title="Overview"
      description="What is live: how its carts fare, its checks and findings, and what each place is offered."
    >
      <div className="stack in-order">
        {isAwaited(coverage) ? (
          <div className="panel">
            <Loading what="the figures" rows={4} />
          </div>
        ) : (
          <FiguresPanel days={coverage.value?.days ?? null} />
        )}
        <div className={`split ${isEmpty ? '' : 'with-detail'}`}>
          <div className="stack in-order">
            <ChecksPanel checks={config.value?.checks ?? null} />
            <LatelyPanel />
          </div>
          {/* A shop without zones has nothing to examine. */}
          <div className="stack in-order">
            {isEmpty ? null : <FindingsPanel />}
            {isEmpty || config.value === null || grid === null ? null : (
              <UnusedPanel config={config.value} coverage={coverage} grid={grid} />
            )}
          </div>
        </div>
        <div className="panel stack" aria-busy={config.isLoading}>
          <FailureNotice failure={config.failure} />
          {grid === null || isAwaited(coverage) ? (
            config.failure === null && <Loading what="the configuration" />
          ) : (
            <GridPanel grid={grid} isCounted={coverage.value !== null} />
          )}
        </div>
      </div>
    </Page>
  );
}

const SHOWN = 5;

/** What changed lately: the last versions, each with the link to what it changed. */
function LatelyPanel() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listVersions({ query: { limit: SHOWN }, signal }), []);
  return (
    <section className="panel stack" aria-label="What changed lately">
      <h2>What changed lately</h2>
      <Answered answer={answer} what="the versions">
        {({ versions }) => (
          <ul className="lines entries">
            {versions.map((version) => (
              <li key={version.id}>
                <Anchor href={linkTo('history', { open: version.id })} fw={500}>
                  {rowText(version)}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {daysAgo(version.createdAt)}
                  {version.keyLabel === null ? '' : `, ${version.keyLabel}`}
                  {(version.batch?.size ?? 1) === 1 ? `: ${changeCounts(version.changes)}` : ''}
                </Text>
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </section>
  );
}
