/** The answers that the handler of a route can return. `AnswerSender` makes their bytes. */
import type { AnswerText } from '../../base/bytes/answer-text.ts';
import type { Command, CommandResult } from '../../engine/change/command.ts';
import { type Outcome, success } from '../../engine/domain/failure.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import type { Answered } from '../../shop/pool/answer-pool.ts';
import type { Question } from '../../shop/pool/question.ts';
import { type ContentType, type Headers, NO_HEADERS, type StreamedBody } from './output.ts';

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

/** The answer of a route of operators. */
export interface OperatorAnswer {
  readonly status: number;
  /** JSON text, or the content of a file. */
  readonly body: string | StreamedBody;
  readonly headers: Headers;
}

/** A JSON value, which is made only for a client that does not have it. */
export interface ValueAnswer {
  readonly kind: 'value';
  readonly read: () => Outcome<unknown>;
}

export interface PlannedWrite {
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

/** A question to the pool of worker threads. */
export interface PoolAnswer {
  readonly kind: 'pool';
  readonly question: Question;
  /** Called with the answer, also when the client has left. */
  readonly note?: (answered: Answered) => void;
}

/** An answer of a shop that need not wait for the configuration. */
export type ReadyAnswer = TextAnswer | ValueAnswer | PlannedWrite | PoolAnswer;

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

export const answerOperator = (
  value: unknown,
  status = 200,
  headers: Headers = NO_HEADERS,
): Outcome<OperatorAnswer> => success({ status, body: JSON.stringify(value), headers });

export const answerMade = (make: () => unknown): Outcome<ValueAnswer> =>
  success({ kind: 'value', read: () => success(make()) });

export const answerValue = (value: unknown): Outcome<ValueAnswer> => answerMade(() => value);

/** The answer of the pool to a question. */
export const answerInPool = (question: Question, note?: PoolAnswer['note']): Outcome<PoolAnswer> =>
  success({ kind: 'pool', question, ...(note !== undefined && { note }) });

type ResultOf<K extends CommandResult['kind']> = Extract<CommandResult, { readonly kind: K }>;

/** A write with a result of this kind. Another kind is a bug and throws. */
export function planWrite<K extends CommandResult['kind']>(
  command: Command,
  kind: K,
  render: (result: ResultOf<K>, state: ShopState) => unknown,
  isSecret = false,
): Outcome<PlannedWrite> {
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
