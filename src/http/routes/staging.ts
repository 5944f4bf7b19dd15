/** `/api/staging`: the changeset, in which changes are tried before they are live (contract section 7). */

import { type Outcome, success } from '../../domain/failure.ts';
import { emptyResults, type ShadowAccess } from '../../shadow/shadow-access.ts';
import type { ShopAccess } from '../../shop/shop-access.ts';
import { stagingActionAnswer, stagingAnswer } from '../../wire/answer-schemas.ts';
import { versionView } from '../../wire/record-view.ts';
import { StagingAction } from '../../wire/write-bodies.ts';
import { answerLater, answerSearch, planWrite, type SteppedAnswer } from '../answer.ts';
import { EXAMPLE_STAGING } from '../openapi/examples.ts';
import { type Route, readRoute, writeRoute } from '../route.ts';

const tag = 'Staging';
const example = { staging: EXAMPLE_STAGING };

/** The changeset as every answer of these routes shows it; null when there is none. */
const stagingOf = (shop: ShopAccess, shadow: ShadowAccess): SteppedAnswer['make'] =>
  function* (shouldYield) {
    const results = shadow.results(shop.state);
    // Begun in the same turn, and so of the same state.
    const staging = yield* shop.staging(shouldYield);
    if (staging === null || !results.ok) return success({ staging: null });
    return success({ staging: { ...staging, shadow: yield* results.value(shouldYield) } });
  };

/** The changeset once the live simulations before it are in its results. */
async function replay(shop: ShopAccess, shadow: ShadowAccess): Promise<() => Outcome<SteppedAnswer>> {
  const replayed = await shadow.replay(shop.shopId);
  return () => (replayed.ok ? answerSearch(stagingOf(shop, shadow)) : replayed);
}

export const STAGING_ROUTES: readonly Route[] = [
  readRoute({
    name: 'getStaging',
    verb: 'GET',
    paths: ['/api/staging'],
    tag,
    summary: 'The active changeset, or null',
    permission: 'read',
    tagOf: null,
    success: { status: 200, description: 'The changeset', schema: stagingAnswer, example },
    handle: ({ shop, dependencies: { shadow } }) => answerSearch(stagingOf(shop, shadow)),
  }),
  writeRoute({
    name: 'changeStaging',
    verb: 'POST',
    paths: ['/api/staging'],
    tag,
    summary: 'Enter, promote, discard or replay to a changeset',
    description:
      'While a changeset is active, configuration writes go to it and make no version. Promote makes every one ' +
      'of them a version, all or nothing; discard drops them. Replay shows the last live simulations to ' +
      'the changeset and adds what differs to its results; it writes nothing else and takes no guards.',
    permission: 'write',
    body: {
      schema: StagingAction,
      examples: {
        enter: { action: 'enter' },
        promote: { action: 'promote' },
        discard: { action: 'discard' },
        replay: { action: 'replay' },
      },
    },
    success: {
      status: 200,
      description: 'The changeset (enter, replay), the newest version (promote), or null (discard)',
      schema: stagingActionAnswer,
      example,
    },
    handle: ({ shop, body: { action }, dependencies: { shadow } }) => {
      switch (action) {
        case 'enter':
          return planWrite({ kind: 'enterStaging' }, 'stagingEntered', ({ staging }, { config }) => ({
            staging: { ...staging, shadow: emptyResults(config) },
          }));
        case 'promote':
          return planWrite({ kind: 'promoteStaging' }, 'promoted', ({ version, summary }, { keys }) => ({
            staging: null,
            version: versionView(version, keys),
            summary,
          }));
        case 'discard':
          return planWrite({ kind: 'discardStaging' }, 'discarded', () => ({ staging: null }));
        case 'replay':
          return answerLater(replay(shop, shadow));
      }
    },
  }),
];
