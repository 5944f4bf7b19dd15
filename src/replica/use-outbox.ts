/** What the live simulations of a replica used: told to the owner of the shops once a second. */
import { foldUses } from '../coverage/fold-uses.ts';
import { RecordMarks } from '../coverage/record-marks.ts';
import { UseCounter } from '../evaluate/use-counter.ts';
import { finishSteps, NEVER } from '../pace/work-steps.ts';
import type { UseWatch } from '../shop/use-watch.ts';

const TELL_MS = 1_000;

export class UseOutbox implements UseWatch {
  readonly #nowMs: () => number;
  readonly #tell: (shopId: string, uses: Uint8Array) => void;
  readonly #marks = new RecordMarks();
  readonly #used = new Map<UseCounter, string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(nowMs: () => number, tell: (shopId: string, uses: Uint8Array) => void) {
    this.#nowMs = nowMs;
    this.#tell = tell;
  }

  open(shopId: string): UseCounter {
    const counter: UseCounter = new UseCounter(() => {
      this.#used.set(counter, shopId);
      this.#timer ??= setTimeout(() => this.flush(), TELL_MS).unref();
    });
    return counter;
  }

  closed(): void {}

  add(shopId: string, uses: Uint8Array): void {
    this.#tell(shopId, uses);
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [counter, shopId] of this.#used) {
      const uses = finishSteps(foldUses(counter.take(), this.#marks, this.#nowMs(), NEVER));
      this.#tell(shopId, Buffer.from(JSON.stringify(uses)));
    }
    this.#used.clear();
  }
}
