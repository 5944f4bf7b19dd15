/**
 * The refusal of a bulk write whose body does not have its shape (contract section 8): the defects of the shape and,
 * behind them, those that are found in whatever has it, as if the rest were in order.
 */
import type { Failure } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { invariant } from '../runtime/invariant.ts';
import { type ShapeDefect, shapeFailure } from '../wire/schema-check.ts';
import { CONFIG_DEFECTS_MAX } from '../wire/write-bodies.ts';
import { scopeOf } from './decide.ts';
import { readableDataSteps } from './readable-data.ts';
import { replacementSteps } from './replacement.ts';

/** No id that a client gives is like those made of it, and whoever asks is told the same. */
const SEED = '(new)';

/**
 * VALIDATION_ERROR names the first defects, at most `CONFIG_DEFECTS_MAX`. `defects` are the first ones of `body` as
 * `ConfigAction`, at least one, asked for up to that number. Linear.
 */
export function* refuseConfigSteps(
  state: ShopState,
  body: unknown,
  defects: readonly ShapeDefect[],
  shouldYield: ShouldYield,
): WorkSteps<Failure> {
  if (defects.length >= CONFIG_DEFECTS_MAX) return shapeFailure(defects);
  const readable = yield* readableDataSteps(body, defects, shouldYield);
  if (readable === null) return shapeFailure(defects);
  const known = { lines: defects.map(({ line }) => line), unread: readable.unread };
  const replacement = yield* replacementSteps(
    scopeOf(state, { seed: SEED }),
    readable.data,
    shouldYield,
    known,
  );
  invariant(!replacement.ok, 'a body with defects is refused');
  return replacement;
}
