/** Plans and results of load generators. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LoadTarget {
  /** Scheme, host and port of a URL. */
  readonly origin: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string;
  /** One JSON body per line; they are sent in turn. */
  readonly bodiesFile: string;
}

export interface ClosedLoopPlan {
  readonly target: LoadTarget;
  /** Requests in flight at any time, one per connection. */
  readonly connections: number;
  readonly seconds: number;
}

export interface ClosedLoopResult {
  readonly answers: number;
  /** Answers other than 2xx, and requests without one. */
  readonly failures: number;
  readonly seconds: number;
}

export interface StreamPlan {
  readonly name: string;
  readonly target: LoadTarget;
  readonly perSecond: number;
  readonly connections: number;
}

export interface OpenLoopPlan {
  readonly streams: readonly StreamPlan[];
  /** Requests that are due in these first seconds are sent and not counted. */
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** Chooses the due times: those of one seed are the same in every run. */
  readonly seed?: number;
  /**
   * Sleeps until a request is due instead of watching the clock: sends up to two milliseconds late, and leaves
   * the core to another generator.
   */
  readonly sleeps?: boolean;
}

/** Latencies are microseconds from the intended send time to the end of the answer. */
export interface StreamResult {
  readonly name: string;
  readonly answers: number;
  readonly failures: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly maxUs: number;
}

/** What an answer said beside its status, as far as the carrier reads it. */
export interface AnswerDetail {
  /** The code of a refusal, or why there was no answer. */
  readonly code?: string;
  /** The value of `X-Unknown-Fields`. */
  readonly unknownFields?: string;
}

/** The code of a request that had no answer when the run ended. */
export const NO_ANSWER = 'no answer by the end of the run';

/** One kept connection with one request at a time. */
export interface Connection {
  send(request: Buffer): void;
  close(): void;
}

/** Called at the end of each answer; the status 0 is a request without one, after which the connection can be used. */
export type Answered = (connection: Connection, status: number, detail?: AnswerDetail) => void;

/** How requests reach a target. */
export interface Carrier {
  /** What is sent in turn, in the form that the connections take. */
  readonly requests: readonly Buffer[];
  /** `broken` is called when the connection is of no use any more. */
  open(answered: Answered, broken: (cause: Error) => void): Promise<Connection>;
}

/** A request of an open loop that counts, once it ended; milliseconds from when the first of them could be due. */
export interface EndedRequest {
  readonly dueMs: number;
  /** null when no connection was free until the end of the run. */
  readonly sentMs: number | null;
  readonly endMs: number;
  /** 0 without an answer. */
  readonly status: number;
  readonly detail: AnswerDetail;
}

export interface OpenLoopResult {
  readonly streams: readonly StreamResult[];
  /** p99 of how late a request was sent although a connection was free, in microseconds. */
  readonly generatorLagP99Us: number;
}

/** `bodies` must be JSON text without line breaks, as `JSON.stringify` makes it. */
export function writeBodies(folder: string, name: string, bodies: readonly string[]): string {
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, bodies.map((body) => `${body}\n`).join(''));
  return file;
}

/** The bodies of a target, in order. */
export const readBodies = ({ bodiesFile }: LoadTarget): readonly string[] =>
  readFileSync(bodiesFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
