/**
 * Floods a server: requests are sent at times that do not depend on the answers, over as many connections as needed,
 * and the results are counted. Latency counts from the sending. A request without a free connection counts as unsent.
 */
import { WireConnection } from '../../bench/load/wire-connection.ts';
import { LatencyHistogram } from '../../bench/report/latency-histogram.ts';

const HOST = '127.0.0.1';
/** Time limit for answers after the last request. */
const DRAIN_MS = 10_000;
const REFUSED = 429;

export interface WireRequest {
  readonly path: string;
  readonly key: string;
  readonly body: string;
}

/** A POST as the bytes of HTTP. */
export function wireText({ path, key, body }: WireRequest): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${HOST}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export interface Flood {
  readonly port: number;
  /** The requests, sent in turn. */
  readonly requests: readonly Buffer[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

export class FloodResult {
  /** Number of answers with 2xx, and with 429. */
  readonly accepted = new LatencyHistogram();
  readonly refused = new LatencyHistogram();
  /** Counts of other statuses. */
  readonly others = new Map<number, number>();
  sent = 0;
  unsent = 0;
  broken = 0;
  /** Time from the first request to the last answer. */
  seconds = 0;
  /**
   * Share of a core that this process used. Near 1 the client is the bottleneck, and the result is not of the server.
   */
  clientShare = 0;

  get answered(): number {
    const others = [...this.others.values()].reduce((sum, count) => sum + count, 0);
    return this.accepted.count + this.refused.count + others;
  }

  get acceptedPerSecond(): number {
    return this.accepted.count / this.seconds;
  }

  record(status: number, microseconds: number): void {
    if (status >= 200 && status < 300) this.accepted.record(microseconds);
    else if (status === REFUSED) this.refused.record(microseconds);
    else this.others.set(status, (this.others.get(status) ?? 0) + 1);
  }

  get text(): string {
    const of = (one: LatencyHistogram) =>
      one.count === 0
        ? '0'
        : `${one.count.toLocaleString('en-US')} (p50 ${ms(one.quantileUs(0.5))}, p99 ${ms(one.quantileUs(0.99))})`;
    return `accepted ${of(this.accepted)}, refused ${of(this.refused)}, unsent ${this.unsent.toLocaleString('en-US')}, client busy ${Math.round(100 * this.clientShare)} %`;
  }
}

export const ms = (microseconds: number): string => `${(microseconds / 1_000).toFixed(1)} ms`;

/** A set of connections to one server; each has one request at a time. */
class Connections {
  /** The longest idle first, because the server ends connections after ten idle seconds. */
  readonly #idle: WireConnection[] = [];
  readonly #all: WireConnection[];
  readonly #sentAt = new Map<WireConnection, number>();
  readonly #result: FloodResult;
  #whenIdle: (() => void) | null = null;

  private constructor(all: WireConnection[], result: FloodResult) {
    this.#all = all;
    this.#result = result;
  }

  static async open(port: number, count: number, result: FloodResult): Promise<Connections> {
    const all: WireConnection[] = [];
    const connections = new Connections(all, result);
    const opening = Array.from({ length: count }, () =>
      WireConnection.open(
        HOST,
        port,
        (connection, status) => connections.#answered(connection, status),
        () => {
          result.broken++;
        },
      ),
    );
    all.push(...(await Promise.all(opening)));
    connections.#idle.push(...all);
    return connections;
  }

  send(request: Buffer): boolean {
    const connection = this.#idle.shift();
    if (connection === undefined) return false;
    this.#sentAt.set(connection, performance.now());
    connection.send(request);
    return true;
  }

  /** Resolves when every request was answered or has timed out. */
  async drained(): Promise<void> {
    if (this.#sentAt.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([idle, isLate]);
    clearTimeout(timer);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #answered(connection: WireConnection, status: number): void {
    const now = performance.now();
    this.#result.record(status, (now - (this.#sentAt.get(connection) ?? now)) * 1_000);
    this.#sentAt.delete(connection);
    this.#idle.push(connection);
    if (this.#sentAt.size === 0) this.#whenIdle?.();
  }
}

/** Sends at the given rate. Does not spin: requests that are due within a millisecond are sent together. */
export async function runFlood({
  port,
  requests,
  perSecond,
  seconds,
  connections,
}: Flood): Promise<FloodResult> {
  const result = new FloodResult();
  const open = await Connections.open(port, connections, result);
  const start = performance.now();
  const used = process.cpuUsage();
  const total = Math.round(perSecond * seconds);
  await new Promise<void>((resolve) => {
    let due = 0;
    const turn = (): void => {
      const until = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * perSecond));
      for (; due < until; due++) {
        if (open.send(requests[due % requests.length] as Buffer)) result.sent++;
        else result.unsent++;
      }
      if (due < total) setTimeout(turn, 1);
      else resolve();
    };
    turn();
  });
  await open.drained();
  result.seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(used);
  result.clientShare = (user + system) / 1e6 / result.seconds;
  open.close();
  return result;
}

/**
 * The capacity of the server: answers per second when each connection waits for its answer. A few connections keep it
 * busy; many would be an overload with refusals.
 */
export async function measureCapacity(
  port: number,
  requests: readonly Buffer[],
  seconds: number,
  connections = 8,
): Promise<number> {
  let answers = 0;
  let next = 0;
  let isOver = false;
  const take = (): Buffer => requests[next++ % requests.length] as Buffer;
  const open = await Promise.all(
    Array.from({ length: connections }, () =>
      WireConnection.open(
        HOST,
        port,
        (connection, status) => {
          if (isOver) return;
          if (status !== REFUSED) answers++;
          connection.send(take());
        },
        () => {},
      ),
    ),
  );
  const start = performance.now();
  for (const connection of open) connection.send(take());
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  isOver = true;
  const took = (performance.now() - start) / 1_000;
  for (const connection of open) connection.close();
  return answers / took;
}
