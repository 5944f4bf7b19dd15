/**
 * Answers made in a worker: read the shop as of a record, compute, and hand back the bytes that the front end
 * would have made itself. The same functions answer in both places, so the answers cannot differ.
 */

import { type AnswerText, lengthOf } from '../bytes/answer-text.ts';
import { readJsonSteps } from '../bytes/json-reading.ts';
import { latin1BufferOf, textOf } from '../bytes/text-bytes.ts';
import { refuseConfigSteps } from '../change/refuse-config.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { type SimulateBatchFrame, type SimulateRequest, simulateRequestSchema } from '../domain/cart.ts';
import { type Failure, type Outcome, success } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { evaluateToParts } from '../evaluate/evaluate.ts';
import { explain } from '../explain/explain.ts';
import { lintReport } from '../lint/lint-config.ts';
import { pauseShortly } from '../pace/short-pause.ts';
import { finishSteps, NEVER } from '../pace/work-steps.ts';
import { keptRequest } from '../shadow/kept-request.ts';
import { personalFieldsRead } from '../shadow/personal-fields.ts';
import { CompiledConfigs } from '../shop/compiled-configs.ts';
import { previewLive } from '../shop/live-preview.ts';
import type { SimulationSource } from '../shop/shop-access.ts';
import { type HistoryPorts, LiveShopHistory } from '../shop/shop-history.ts';
import { answerBatch, readBatch } from '../shop/simulation-batch.ts';
import type { AnswerForm } from '../wire/answer.ts';
import { versionDetailView } from '../wire/record-view.ts';
import { compileSchema, type SchemaCheck } from '../wire/schema-check.ts';
import { NO_CHANGESET } from '../wire/staging.ts';
import { findUnknownField } from '../wire/unknown-field.ts';
import { CONFIG_DEFECTS_MAX, ConfigAction } from '../wire/write-bodies.ts';
import type { CompiledShelf, ShelvedShop } from './compiled-shelf.ts';
import type {
  CompareTask,
  LintTask,
  PoolAnswer,
  PreviewTask,
  ReadVersionTask,
  SimulateBatchTask,
  SimulateTask,
  WorkerSettings,
} from './pool-task.ts';

/** Shared memory for the answer, if there is some. */
type Area = SharedArrayBuffer | null;

/** A smaller answer changes hands: it is sent at once, and the area would wait for its reader. */
const AREA_BYTES_MIN = 64 * 1024;

/** Makes a buffer of its own each time, as what changes hands must be. */
const utf8 = new TextEncoder();

const UNREAD: PoolAnswer = { kind: 'unread' };

export class AnswerTasks {
  readonly #shelf: CompiledShelf;
  readonly #history: HistoryPorts;
  readonly #plans: WorkerSettings['plans'];
  readonly #itemsMax: number;
  readonly #checkRequest: SchemaCheck<SimulateRequest>;
  readonly #checkConfig = compileSchema(ConfigAction);

  constructor(shelf: CompiledShelf, history: HistoryPorts, { plans, itemsMax }: WorkerSettings) {
    this.#shelf = shelf;
    this.#history = history;
    this.#plans = plans;
    this.#itemsMax = itemsMax;
    this.#checkRequest = compileSchema(simulateRequestSchema(itemsMax));
  }

  simulate(
    { text, isChecked, isStrict, form, isWatched, nowMs, source, ...of }: SimulateTask,
    area: Area,
  ): PoolAnswer {
    const body = readJson(text, parseWithPauses);
    if (body === undefined) return UNREAD;
    if (!isChecked && !this.#checkRequest.check(body)) return misread(this.#checkRequest.failure(body, 1));
    const request = body as SimulateRequest;
    const unknown = isStrict && !isChecked ? findUnknownField(request) : null;
    if (unknown !== null) return refused(unknown);
    const shelved = this.#shelf.shopAt(of.shopId, of.sequenceNumber);
    const shop = this.#compiledOf(shelved, of.shopId, source);
    if (!shop.ok) return refused(shop);
    pauseShortly();
    const simulated = simulateWithPauses(shop.value, request, nowMs, form);
    pauseShortly();
    const answer = simulated.ok ? answered(simulated.value, area) : refused(simulated);
    if (answer.kind !== 'answered' || !isWatched) return answer;
    const kept = keptRequest(request, fieldsRead(shelved));
    return { ...answer, kept: utf8.encode(JSON.stringify(kept)) };
  }

  simulateBatch(
    { text, isStrict, form, isWatched, nowMs, source, ...of }: SimulateBatchTask,
    area: Area,
  ): PoolAnswer {
    const body = readJson(text, parseWithPauses);
    if (body === undefined) return UNREAD;
    const shelved = this.#shelf.shopAt(of.shopId, of.sequenceNumber);
    const shop = this.#compiledOf(shelved, of.shopId, source);
    if (!shop.ok) return refused(shop);
    const requests = readBatch((body as SimulateBatchFrame).requests, this.#checkRequest, isStrict);
    const kept: string[] = [];
    const simulated = answerBatch(requests, (request) => {
      pauseShortly();
      const made = simulateWithPauses(shop.value, request, nowMs, form);
      if (made.ok && isWatched) kept.push(JSON.stringify(keptRequest(request, fieldsRead(shelved))));
      return made;
    });
    pauseShortly();
    const answer = simulated.ok ? answered(simulated.value, area) : refused(simulated);
    if (answer.kind !== 'answered' || !isWatched) return answer;
    return { ...answer, kept: utf8.encode(kept.join('\n')) };
  }

  preview({ shopId, sequenceNumber, text, isChecked, now, seed }: PreviewTask, area: Area): PoolAnswer {
    const body = readJson(textOf(text));
    if ((body as { readonly action?: unknown } | null | undefined)?.action !== 'preview') return UNREAD;
    const { state, live } = this.#shelf.shopAt(shopId, sequenceNumber);
    if (!isChecked && !this.#checkConfig.check(body)) {
      const defects = this.#checkConfig.shapeDefects(body, CONFIG_DEFECTS_MAX);
      return refused(finishSteps(refuseConfigSteps(state, body, defects, NEVER)));
    }
    const { data } = body as ConfigAction;
    const context = { plans: this.#plans, itemsMax: this.#itemsMax, now, seed };
    return jsonAnswer(
      previewLive(context, state, data, () => live),
      area,
    );
  }

  readVersion({ versionId, ...of }: ReadVersionTask, area: Area): PoolAnswer {
    const { state } = this.#shelf.shopAt(of.shopId, of.sequenceNumber);
    const found = this.#historyOf(of.shopId, state).read(versionId);
    return jsonAnswer(found.ok ? success(versionDetailView(found.value, state.keys)) : found, area);
  }

  compare({ versionA, versionB, ...of }: CompareTask, area: Area): PoolAnswer {
    const { state } = this.#shelf.shopAt(of.shopId, of.sequenceNumber);
    return jsonAnswer(this.#historyOf(of.shopId, state).compare(versionA, versionB), area);
  }

  lint({ shopId, sequenceNumber, view }: LintTask, area: Area): PoolAnswer {
    const compiled = this.#compiledOf(this.#shelf.shopAt(shopId, sequenceNumber), shopId, view);
    if (!compiled.ok) return refused(compiled);
    const { config, settings } = compiled.value;
    return jsonAnswer(
      success(lintReport(config, { ...settings, itemsMax: this.#itemsMax }, compiled.value)),
      area,
    );
  }

  #historyOf(shopId: string, state: ShopState): LiveShopHistory {
    return new LiveShopHistory(this.#history, shopId, () => state);
  }

  #compiledOf(
    { live, staged, state }: ShelvedShop,
    shopId: string,
    source: SimulationSource,
  ): Outcome<CompiledShop> {
    if (source === 'live') return success(live);
    if (source === 'staged') return staged === null ? NO_CHANGESET : success(staged);
    if (source.versionId === state.version.id) return success(live);
    const history = this.#historyOf(shopId, state);
    return new CompiledConfigs((versionId) => history.configOf(versionId)).of(source, state);
  }
}

/** As whoever keeps simulations reads them from the same state. */
const fieldsRead = ({ state: { config, staging } }: ShelvedShop): number =>
  personalFieldsRead(config) | (staging === null ? 0 : personalFieldsRead(staging.config));

/** undefined when the text is no JSON: whoever sent it will be told where by the front end. */
function readJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** For a text of at most a megabyte: each pause may cost its turn to a thread on a busy core. */
const parseWithPauses = (text: string): unknown =>
  finishSteps(readJsonSteps({ bytes: Buffer.from(text), isAscii: false }, NEVER), pauseShortly);

const refused = (failure: Failure): PoolAnswer => ({ kind: 'refused', failure, isOfBody: false });

const misread = (failure: Failure): PoolAnswer => ({ kind: 'refused', failure, isOfBody: true });

const simulateWithPauses = (
  shop: CompiledShop,
  request: SimulateRequest,
  nowMs: number,
  form: AnswerForm,
): Outcome<AnswerText> =>
  form === 'explained'
    ? inOnePart(explain(shop, request, nowMs))
    : evaluateToParts(shop, request, nowMs, form, pauseShortly);

const inOnePart = (text: Outcome<string>): Outcome<AnswerText> => (text.ok ? success([text.value]) : text);

/** JSON text that may hold any character. */
function jsonAnswer(outcome: Outcome<unknown>, area: Area): PoolAnswer {
  if (!outcome.ok) return refused(outcome);
  const text = JSON.stringify(outcome.value);
  const { body, isInArea } = roomFor(Buffer.byteLength(text), area);
  body.write(text);
  return { kind: 'answered', body, isInArea };
}

/** Written between two pauses: half a millisecond. */
const PIECE_LENGTH = 512 * 1024;

function answered(text: AnswerText, area: Area): PoolAnswer {
  const { body, isInArea } = roomFor(lengthOf(text), area);
  let at = 0;
  let pausedAt = 0;
  for (const part of text) {
    at += body.latin1Write(part, at, part.length);
    if (at - pausedAt < PIECE_LENGTH) continue;
    pauseShortly();
    pausedAt = at;
  }
  return { kind: 'answered', body, isInArea };
}

/** Large ones in the area; the others in a buffer of their own, for one of the shared pool cannot be handed over. */
function roomFor(bytes: number, area: Area) {
  const isInArea = area !== null && bytes >= AREA_BYTES_MIN && bytes <= area.byteLength;
  return { body: latin1BufferOf(isInArea ? area : new ArrayBuffer(bytes), bytes), isInArea };
}
