/** `/api/staging`: the changeset, in which changes are tried before they are live (contract section 7). */
import type { Staging } from '../../domain/staging.ts';
import { StagingAction } from '../../domain/write-bodies.ts';
import { stagingActionAnswer, stagingAnswer } from '../answer-schemas.ts';
import { EXAMPLE_STAGING } from '../examples.ts';
import { answerValue, planWrite, type Route, readRoute, writeRoute } from '../route.ts';

const tag = 'Staging';
const example = { staging: EXAMPLE_STAGING };

/** The changeset as every answer of these routes shows it. */
const stagingRecord = (staging: Staging) => staging;

export const STAGING_ROUTES: readonly Route[] = [
  readRoute({
    name: 'getStaging',
    verb: 'GET',
    paths: ['/api/staging'],
    tag,
    summary: 'The active changeset, or null',
    permission: 'read',
    followsState: false,
    success: { status: 200, description: 'The changeset', schema: stagingAnswer, example },
    handle: ({ shop }) => {
      const staging = shop.staging();
      return answerValue({ staging: staging === null ? null : stagingRecord(staging) });
    },
  }),
  writeRoute({
    name: 'changeStaging',
    verb: 'POST',
    paths: ['/api/staging'],
    tag,
    summary: 'Enter, promote or discard a changeset',
    description:
      'While a changeset is active, configuration writes go to it and make no version. Promote makes every one ' +
      'of them a version, all or nothing; discard drops them.',
    permission: 'write',
    body: {
      schema: StagingAction,
      examples: {
        enter: { action: 'enter' },
        promote: { action: 'promote' },
        discard: { action: 'discard' },
      },
    },
    success: {
      status: 200,
      description: 'The new changeset (enter), the newest version (promote), or null (discard)',
      schema: stagingActionAnswer,
      example,
    },
    handle: ({ body: { action } }) => {
      switch (action) {
        case 'enter':
          return planWrite({ kind: 'enterStaging' }, 'stagingEntered', ({ staging }) => ({
            staging: stagingRecord(staging),
          }));
        case 'promote':
          return planWrite({ kind: 'promoteStaging' }, 'promoted', ({ version, summary }) => ({
            staging: null,
            version,
            summary,
          }));
        case 'discard':
          return planWrite({ kind: 'discardStaging' }, 'discarded', () => ({ staging: null }));
      }
    },
  }),
];
