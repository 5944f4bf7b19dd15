/**
 * Heavy work of a replica: the owner has the worker threads and their bounds, so it is asked; what it cannot
 * have done is answered here.
 */
import type { AnswerHere, AskedShop, HeavyAnswer, HeavyPort, Question } from '../worker/heavy-work.ts';

export class HeavyRelay implements HeavyPort {
  readonly #fromMicroseconds: number;
  readonly #ask: (number: number, shopId: string, question: Question) => void;
  readonly #waiting = new Map<number, (answer: HeavyAnswer | null) => void>();
  #last = 0;

  /** `ask` tells the owner, whose answer comes with `answered`. */
  constructor(fromMicroseconds: number, ask: (number: number, shopId: string, question: Question) => void) {
    this.#fromMicroseconds = fromMicroseconds;
    this.#ask = ask;
  }

  isHeavy(microseconds: number): boolean {
    return microseconds >= this.#fromMicroseconds;
  }

  async answer(shop: AskedShop, question: Question, answerHere: AnswerHere): Promise<HeavyAnswer> {
    const answered = await this.answerUnread(shop, question);
    if (answered !== null) return answered;
    // The shop may have moved on: the answer is of what it is now, and says so.
    const outcome = answerHere();
    return { outcome, versionId: shop.state.version.id, isOfBody: false, isFromThread: false };
  }

  answerUnread({ shopId }: AskedShop, question: Question): Promise<HeavyAnswer | null> {
    return new Promise((resolve) => {
      const number = ++this.#last;
      this.#waiting.set(number, resolve);
      this.#ask(number, shopId, question);
    });
  }

  /** The owner's answer. */
  answered(number: number, answer: HeavyAnswer | null): void {
    const resolve = this.#waiting.get(number);
    this.#waiting.delete(number);
    resolve?.(answer);
  }
}
