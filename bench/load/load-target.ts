/** Plans and results of load generators. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LoadTarget {
  readonly host: string;
  readonly port: number;
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

/** The requests of a target as they go over the wire. */
export function wireRequests({
  host,
  port,
  method,
  path,
  authorization,
  bodiesFile,
}: LoadTarget): readonly Buffer[] {
  return readFileSync(bodiesFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((body) => {
      const head = [
        `${method} ${path} HTTP/1.1`,
        `Host: ${host}:${port}`,
        `Authorization: ${authorization}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
      ];
      return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
    });
}
