/** `/api/staging`: the changeset, in which changes are tried before they go live (contract section 7). */

import type { CommandOf, JudgedChangeset } from '../../../engine/change/command.ts';
import { invalid, type Outcome, success } from '../../../engine/domain/failure.ts';
import { stagingActionAnswer, stagingAnswer } from '../../../engine/wire/answer-schemas.ts';
import type { Effects } from '../../../engine/wire/effects.ts';
import { type GateJudgement, GateReport } from '../../../engine/wire/gate-report.ts';
import { versionView } from '../../../engine/wire/record-view.ts';
import { NO_CHANGESET } from '../../../engine/wire/staging.ts';
import { StagingAction } from '../../../engine/wire/write-bodies.ts';
import { askForGate } from '../../../shop/pool/gate-questions.ts';
import type { Question } from '../../../shop/pool/question.ts';
import { gateRefusal, judgeGate, ownWritesOf } from '../../../shop/shadow/judge-gate.ts';
import type { ReplayResult } from '../../../shop/shadow/replay-carts.ts';
import { emptyResults } from '../../../shop/shadow/shadow-tally.ts';
import { type Answer, answerLater, answerMade, answerValue, planWrite, type ValueAnswer } from '../answer.ts';
import { viewTag } from '../entity-tag.ts';
import { seesCarts, shownCarts } from '../live-traffic.ts';
import { EXAMPLE_GATE_REPORT } from '../openapi/check-examples.ts';
import { EXAMPLE_STAGING } from '../openapi/examples.ts';
import { answerDoc, type Route, readRoute, type ShopRequest, writeRoute } from '../route.ts';

const tag = 'Staging';
const example = { staging: { ...EXAMPLE_STAGING, effects: EXAMPLE_GATE_REPORT.effects } };

/** The changeset with its results, or null. `elsewhere` are the results of other nodes; `shown` is shown with them. */
function showStaging(
  request: ShopRequest<unknown>,
  elsewhere: Outcome<readonly string[]>,
  shown: { readonly effects?: Effects } = {},
): Outcome<ValueAnswer> {
  if (!elsewhere.ok) return elsewhere;
  const { shop, dependencies } = request;
  return answerMade(() => {
    const results = dependencies.shadow.results(shop.state, elsewhere.value);
    const staging = shop.staging();
    if (staging === null || !results.ok) return { staging: null };
    const shadow = seesCarts(request) ? results.value : { ...results.value, samples: [] };
    return { staging: { ...staging, shadow, ...shown } };
  });
}

/** The changeset with its results on all nodes, and what it changes for probe carts. */
function getStaging(request: ShopRequest<unknown>): Outcome<Answer> {
  const { shop, dependencies } = request;
  const { shadow } = dependencies;
  if (shop.state.staging === null) return answerValue({ staging: null });
  const both = Promise.all([effectsOfStaging(request), shadow.elsewhere(shop.state)]);
  return answerLater(
    both.then(([effects, elsewhere]) => () => {
      // The changeset may have ended meanwhile.
      if (shop.state.staging === null) return answerValue({ staging: null });
      return effects.ok
        ? showStaging(request, elsewhere ?? success([]), { effects: effects.value })
        : effects;
    }),
  );
}

const effectsOfStaging = (request: ShopRequest<unknown>): Promise<Outcome<Effects>> => {
  const nowMs = request.dependencies.clock.nowMs();
  return ask<Effects>(request, { kind: 'effects', nowMs, carts: shownCarts(request) });
};

/** Compares the kept carts with the changeset; then shows the changeset with its results. */
async function replay(request: ShopRequest<unknown>): Promise<() => Outcome<ValueAnswer>> {
  const { shop, dependencies } = request;
  const { shadow } = dependencies;
  const { staging } = shop.state;
  if (staging === null) return () => NO_CHANGESET;
  const carts = shadow.keptCarts(shop.shopId);
  const replayed = await ask<ReplayResult>(request, { kind: 'replay', carts });
  const added = replayed.ok ? shadow.addReplay(shop.shopId, staging.id, replayed.value) : replayed;
  if (!added.ok) return () => added;
  const elsewhere = await shadow.elsewhere(shop.state);
  return () => showStaging(request, elsewhere ?? success([]));
}

/** The value that the pool answers. */
async function ask<T>(
  { shop, origin, dependencies: { pool } }: ShopRequest<unknown>,
  question: Question,
): Promise<Outcome<T>> {
  const { outcome } = await pool.ask(shop, question, origin);
  return outcome.ok ? success(JSON.parse(Buffer.from(outcome.value).toString()) as T) : outcome;
}

interface JudgedGate {
  readonly report: GateJudgement;
  readonly judged: JudgedChangeset;
}

/**
 * Judges the active changeset by the gate of the shop (contract section 10.2); without a gate it passes. All of it uses the
 * state at the time of the call, which the judgement names, and the key of the request. CONFLICT without a changeset,
 * RATE_LIMITED when the pool has too many questions, UNAVAILABLE when a thread was lost or late.
 */
async function judgeStaging(request: ShopRequest<unknown>): Promise<Outcome<JudgedGate>> {
  const { shop, grant, dependencies } = request;
  const { state } = shop;
  const { staging } = state;
  if (staging === null) return NO_CHANGESET;
  const gate = state.settings.promotionGate ?? null;
  const of = { stagingId: staging.id, writes: staging.writes.length, gate };
  // Both start in this turn of the event loop, so they read the same state.
  const [asked, results] = await Promise.all([
    askForGate(gate ?? {}, dependencies.clock.nowMs(), (question) => ask(request, question)),
    dependencies.shadow.resultsSinceEdit(state),
  ]);
  if (!asked.ok) return asked;
  if (!results.ok) return results;
  const ownWrites = ownWritesOf(staging, grant.keyId);
  const shown = seesCarts(request) ? results.value : { ...results.value, samples: [], lostSamples: [] };
  const report = judgeGate(gate ?? {}, { ...asked.value, results: shown, ownWrites });
  return success({ report, judged: { ...of, refusal: gateRefusal(report) } });
}

async function gateReport(request: ShopRequest<unknown>): Promise<() => Outcome<ValueAnswer>> {
  const [judged, effects] = await Promise.all([judgeStaging(request), effectsOfStaging(request)]);
  return () => {
    if (!judged.ok) return judged;
    return effects.ok ? answerValue({ ...judged.value.report, effects: effects.value }) : effects;
  };
}

/** Judges the changeset first unless it is forced. The decision of the write checks that the judgement is current. */
function promote(request: ShopRequest<unknown>, isForced: boolean): Outcome<Answer> {
  const { shop, dependencies } = request;
  if (shop.state.staging === null) return planPromotion(0, {});
  if (isForced) {
    const results = dependencies.shadow.resultsSinceEdit(shop.state);
    return answerLater(
      results.then((made) => () => (made.ok ? planPromotion(made.value.dropped, { isForced }) : made)),
    );
  }
  return answerLater(
    judgeStaging(request).then((made) => () => {
      if (!made.ok) return made;
      const { report, judged } = made.value;
      return planPromotion(report.dropped, judged.gate === null ? {} : { judged });
    }),
  );
}

/** `dropped`: the live simulations that were not evaluated against the changeset. */
const planPromotion = (dropped: number, fields: Pick<CommandOf<'promoteStaging'>, 'judged' | 'isForced'>) =>
  planWrite({ kind: 'promoteStaging', ...fields }, 'promoted', ({ version, summary }, { keys }) => ({
    staging: null,
    version: versionView(version, keys),
    summary,
    dropped,
  }));

export const STAGING_ROUTES: readonly Route[] = [
  readRoute({
    name: 'getStaging',
    verb: 'GET',
    paths: ['/api/staging'],
    tag,
    summary: 'The active changeset, or null',
    description:
      'Carts of customers are shown to keys with the permission `write`: with a `read` key `samples` is empty, and `effects` ' +
      'tells of the other probe carts.',
    permission: 'read',
    tagOf: viewTag,
    changesUnwritten: true,
    success: answerDoc('The changeset', stagingAnswer, example),
    handle: getStaging,
  }),
  readRoute({
    name: 'getPromotionGate',
    verb: 'GET',
    paths: ['/api/staging/gate'],
    tag,
    summary: 'Whether the gate of the shop lets the active changeset pass, and why not',
    description:
      'The gate is set with PUT /api/shop; without one every changeset passes. Only live simulations since the last staged ' +
      'write count, each that was answered before the call. Criteria that fail have evidence; `effects` says what a promotion ' +
      'would change for carts made from the values of both configurations, and for those of checks and of live traffic. ' +
      'With a `read` key no cart of live traffic is shown.',
    permission: 'read',
    needsChangeset: true,
    success: answerDoc(
      'The criteria of the gate, each with its limit and what was measured',
      GateReport,
      EXAMPLE_GATE_REPORT,
    ),
    handle: (request) => answerLater(gateReport(request)),
  }),
  writeRoute({
    name: 'changeStaging',
    verb: 'POST',
    paths: ['/api/staging'],
    tag,
    summary: 'Enter, promote or discard a changeset, or replay simulations against it',
    description:
      'While a changeset is active, configuration writes go to it and make no version. Its `name` and `note` are also in the ' +
      'versions of its promotion. Promote makes a version of each, ' +
      'all or nothing, if the gate of the shop lets the changeset pass; discard drops them. Replay compares carts of recent ' +
      'live simulations with the changeset: their numbers are in `replayed` and in no criterion of the gate; it writes ' +
      'nothing else and takes no guards. With several nodes, it uses the simulations that this node answered; results ' +
      'are the sum over all nodes.',
    permission: 'write',
    forceNeeds: 'admin',
    body: {
      schema: StagingAction,
      examples: {
        enter: { action: 'enter' },
        enterWithName: { action: 'enter', name: 'Autumn prices', note: 'New tariffs of the carrier' },
        promote: { action: 'promote' },
        force: { action: 'promote', force: true },
        discard: { action: 'discard' },
        replay: { action: 'replay' },
      },
    },
    success: answerDoc(
      'The changeset (enter, replay), the newest version (promote), or null (discard)',
      stagingActionAnswer,
      example,
    ),
    handle: (request) => {
      const { action, force, ...texts } = request.body;
      if (force !== undefined && action !== 'promote') return invalid('/force is accepted only with promote');
      const [text] = Object.keys(texts);
      if (text !== undefined && action !== 'enter') return invalid(`/${text} is accepted only with enter`);
      switch (action) {
        case 'enter':
          return planWrite(
            { kind: 'enterStaging', ...texts },
            'stagingEntered',
            ({ staging }, { config }) => ({
              staging: { ...staging, shadow: emptyResults(config) },
            }),
          );
        case 'promote':
          return promote(request, force === true);
        case 'discard':
          return planWrite({ kind: 'discardStaging' }, 'discarded', () => ({ staging: null }));
        case 'replay':
          return answerLater(replay(request));
      }
    },
  }),
];
