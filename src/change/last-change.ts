/**
 * Marks each changed method or rule with the number of the version that changed it (contract section 10.3): the newest
 * version whose comparison with the version before it names the record. A move counts as a comparison counts it
 * (contract section 6).
 */
import type { LastChange, Placement } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import type { Identified } from './align.ts';
import { compareListSteps, fieldChanges } from './compare.ts';

type MarkedRecord = Identified & Placement & LastChange;

/** The marks of one list of records in one version. */
export class ChangeMarks<T extends MarkedRecord> {
  readonly #kind: 'method' | 'rule';
  readonly #number: number;
  /** Record with another placement and the same fields -> its predecessor. */
  readonly #moved = new Map<T, T>();

  constructor(kind: 'method' | 'rule', number: number) {
    this.#kind = kind;
    this.#number = number;
  }

  /** A copy of a record of the change, with its mark; `old` is the record that it replaces. */
  mark(record: T, old: T | undefined): T {
    if (old === undefined || fieldChanges(this.#kind, old, record).length > 0) {
      return marked(record, this.#number);
    }
    if (old.placement === record.placement) return marked(record, old.changedIn);
    const moved = marked(record, this.#number);
    this.#moved.set(moved, old);
    return moved;
  }

  /**
   * The list `to` without the marks of records that have another placement and are where they were: a rollback can undo
   * moves that cancelled each other out. Linear, and only for a list with moved records.
   */
  *settleSteps(from: readonly T[], to: readonly T[], shouldYield: ShouldYield): WorkSteps<readonly T[]> {
    if (this.#moved.size === 0) return to;
    const { modified } = yield* compareListSteps(this.#kind, from, to, shouldYield);
    const modifiedIds = new Set(modified.map(({ id }) => id));
    return to.map((record) => {
      const old = this.#moved.get(record);
      if (old === undefined || modifiedIds.has(record.id)) return record;
      const { changedIn: _, ...rest } = record;
      return marked(rest as T, old.changedIn);
    });
  }
}

const marked = <T extends MarkedRecord>(record: T, changedIn: number | undefined): T =>
  changedIn === undefined ? record : extended(record, { changedIn });
