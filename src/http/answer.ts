/** The answers that the handler of a route can return. `AnswerSender` makes their bytes. */
import type { AnswerText } from '../bytes/answer-text.ts';
import type { Command, CommandResult } from '../change/command.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { mapSteps, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import type { HeavyAnswer } from '../worker/heavy-work.ts';
import type { ContentType, Headers } from './output.ts';

/** JSON text in pieces, ASCII only. */
export interface TextAnswer {
  readonly kind: 'text';
  readonly text: AnswerText;
}

/** Bytes of any type, with any status: the answer of a route without a key. */
export interface BytesAnswer {
  readonly kind: 'bytes';
  readonly status: number;
  readonly type: ContentType;
  /** The bytes must not change after the call; null for a status without a body. */
  readonly body: string | Uint8Array | null;
  readonly headers?: Headers;
}

/** A JSON value that takes little time to compute; its text may be large. */
export interface ValueAnswer {
  readonly kind: 'value';
  readonly read: () => Outcome<unknown>;
}

/** A JSON value that may take long to compute: in slices between other requests. */
export interface SteppedAnswer {
  readonly kind: 'steps';
  readonly make: (shouldYield: ShouldYield) => WorkSteps<Outcome<unknown>>;
}

export interface WriteAnswer {
  readonly kind: 'write';
  readonly command: Command;
  /**
   * Makes the body of the answer before the append, so it may be called again when the write is decided again, and must
   * not change anything. `state` is the state after the write. An error that it throws refuses the write.
   */
  readonly render: (result: CommandResult, state: ShopState) => unknown;
  /** The answer holds a secret, so it is stored encrypted for the caller. */
  readonly isSecret: boolean;
}

export interface ThreadAnswer {
  readonly kind: 'thread';
  readonly answer: Promise<HeavyAnswer>;
}

/** An answer of a shop that need not wait for the configuration. */
export type ReadyAnswer = TextAnswer | ValueAnswer | SteppedAnswer | WriteAnswer | ThreadAnswer;

/** An answer that must wait. It is made after the promise resolves, if the client is still connected. */
export interface LaterAnswer<A> {
  readonly kind: 'later';
  readonly ready: Promise<() => Outcome<A>>;
}

export type Answer<A = ReadyAnswer> = A | LaterAnswer<A>;

export const answerLater = <A>(ready: LaterAnswer<A>['ready']): Outcome<LaterAnswer<A>> =>
  success({ kind: 'later', ready });

export const answerBytes = (status: number, type: ContentType, body: string): Outcome<BytesAnswer> =>
  success({ kind: 'bytes', status, type, body });

export const answerValue = (value: unknown): Outcome<ValueAnswer> =>
  success({ kind: 'value', read: () => success(value) });

/** The answer of a long read that may be refused. */
export const answerOutcomeSteps = (make: SteppedAnswer['make']): Outcome<SteppedAnswer> =>
  success({ kind: 'steps', make });

export const answerSteps = (make: (shouldYield: ShouldYield) => WorkSteps<unknown>): Outcome<SteppedAnswer> =>
  answerOutcomeSteps(function* (shouldYield) {
    return success(yield* make(shouldYield));
  });

/** A list of records, in a field of this name. */
export const answerList = <T extends object>(
  name: string,
  records: readonly T[],
  view: (record: T, position: number) => unknown,
): Outcome<SteppedAnswer> =>
  answerSteps(function* (shouldYield) {
    return { [name]: yield* mapSteps(records, view, shouldYield) };
  });

type ResultOf<K extends CommandResult['kind']> = Extract<CommandResult, { readonly kind: K }>;

/** A write with a result of this kind. Another kind is a bug and throws. */
export function planWrite<K extends CommandResult['kind']>(
  command: Command,
  kind: K,
  render: (result: ResultOf<K>, state: ShopState) => unknown,
  isSecret = false,
): Outcome<WriteAnswer> {
  return success({
    kind: 'write',
    command,
    isSecret,
    render: (result, state) => {
      if (result.kind !== kind) throw new Error(`${command.kind} answered ${result.kind} instead of ${kind}`);
      return render(result as ResultOf<K>, state);
    },
  });
}
