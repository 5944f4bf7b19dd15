/** Answers questions from a shop: the only code that does, in a worker thread and for a command on a data folder. */
import type { SimulateBatchFrame, SimulateRequest } from '../../engine/domain/cart.ts';
import { type Outcome, success } from '../../engine/domain/failure.ts';
import { versionDetailView } from '../../engine/wire/record-view.ts';
import type { SchemaCheck } from '../../engine/wire/schema-check.ts';
import type { ConfigAction } from '../../engine/wire/write-bodies.ts';
import type { ShopReader } from '../reader/shop-reader.ts';
import { answerBatch, readBatch } from '../reader/simulation-batch.ts';
import { replayCarts } from '../shadow/replay-carts.ts';
import type { Question, ReadQuestion } from './question.ts';

/** What questions that only read need of a shop. */
type ReadShop = Pick<
  ShopReader,
  'preview' | 'compare' | 'effects' | 'lint' | 'runChecks' | 'sweep' | 'bisect'
> & {
  readonly state: Pick<ShopReader['state'], 'keys'>;
  readonly history: Pick<ShopReader['history'], 'read'>;
};

export type AnsweringShop = ReadShop & Pick<ShopReader, 'simulate' | 'compiled'>;

interface MadeAnswer {
  /** JSON text. */
  readonly text: Outcome<string>;
  /** Indexes of the carts of a simulation that were answered. */
  readonly answered: readonly number[];
}

/** `check` is that of the requests in a batch. */
export function answerQuestion(
  shop: AnsweringShop,
  question: Question,
  check: SchemaCheck<SimulateRequest>,
): MadeAnswer {
  switch (question.kind) {
    case 'simulate': {
      const made = shop.simulate(JSON.parse(question.text) as SimulateRequest, question.nowMs, question);
      return { text: joined(made), answered: made.ok ? [0] : [] };
    }
    case 'simulateBatch': {
      const { requests } = JSON.parse(question.text) as SimulateBatchFrame;
      const answered: number[] = [];
      const made = answerBatch(readBatch(requests, check, question.isStrict), (request, index) => {
        const answer = shop.simulate(request, question.nowMs, question);
        if (answer.ok) answered.push(index);
        return answer;
      });
      return { text: joined(made), answered };
    }
    case 'replay': {
      const [live, staged] = [shop.compiled('live'), shop.compiled('staged')];
      if (!live.ok) return { text: live, answered: [] };
      if (!staged.ok) return { text: staged, answered: [] };
      return valued(success(replayCarts(live.value, staged.value, question.carts)));
    }
    default:
      return valued(readAnswer(shop, question));
  }
}

/** The answer to a question that only reads the shop. */
function readAnswer(shop: ReadShop, question: ReadQuestion): Outcome<unknown> {
  switch (question.kind) {
    case 'preview':
      return shop.preview(JSON.parse(question.text) as ConfigAction, question, question.traffic);
    case 'readVersion': {
      const found = shop.history.read(question.versionId);
      return found.ok ? success(versionDetailView(found.value, shop.state.keys)) : found;
    }
    case 'compare':
      return shop.compare(question.versionA, question.versionB, question.effectsAtMs, question.carts);
    case 'effects':
      return shop.effects(question.nowMs, question.carts);
    case 'lint':
      return shop.lint(question.view, question.nowMs, question.traffic);
    case 'runChecks':
      return shop.runChecks(question.source, question.ids, question.nowMs);
    case 'sweep':
      return shop.sweep(question.source, question.sweeping);
    case 'bisect':
      return shop.bisect(question.cart, question.from, question.to);
  }
}

const joined = (parts: Outcome<readonly string[]>): Outcome<string> =>
  parts.ok ? success(parts.value.join('')) : parts;

const valued = (value: Outcome<unknown>): MadeAnswer => ({
  text: value.ok ? success(JSON.stringify(value.value)) : value,
  answered: [],
});
