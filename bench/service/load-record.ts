/** What a load found out about one service. */
import { type EndedRequest, NO_ANSWER } from '../load/load-target.ts';
import { isSuccess } from '../load/wire-connection.ts';
import { LatencyHistogram } from '../report/latency-histogram.ts';
import { nameOf } from './replies.ts';

/** Most points of a chart over time. */
const SLICES_MAX = 120;

const add = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** The code of a request that a client gave up, as against a connection that broke or was refused. */
const isGivenUp = (code: string): boolean => code === NO_ANSWER || /TIMED?OUT$/.test(code);

export class LoadRecord {
  /** Of requests that were answered with rates, and of those that waited in vain, for as long as they did. */
  readonly fromDue = new LatencyHistogram();
  /** The same requests as a client that waits for each answer counts them. */
  readonly fromSent = new LatencyHistogram();
  /** `fromDue` by when requests were due. */
  readonly slices: LatencyHistogram[] = [];
  readonly sliceSeconds: number;
  /** Requests by status and code, and by the reason why there was no answer. */
  readonly refusals = new Map<string, number>();
  readonly unanswered = new Map<string, number>();
  /** Answers by the fields that they name. */
  readonly unknownFields = new Map<string, number>();
  /** p99 of each round. */
  readonly sentLateUs: number[] = [];
  seconds = 0;
  due = 0;
  /** Within the time of the load. */
  answersInTime = 0;

  constructor(seconds: number) {
    this.sliceSeconds = Math.max(seconds / SLICES_MAX, Math.min(1, seconds / 10));
  }

  /** Adds a round; returns what to call with each request of it. */
  begin(seconds: number): (request: EndedRequest) => void {
    const before = this.seconds;
    this.seconds += seconds;
    return ({ dueMs, sentMs, endMs, status, detail }) => {
      this.due++;
      for (const field of detail.unknownFields?.split(',') ?? []) {
        add(this.unknownFields, `unknown field ${field.trim()}`);
      }
      if (isSuccess(status)) {
        if (endMs <= seconds * 1_000) this.answersInTime++;
      } else {
        const { code = '' } = detail;
        add(status === 0 ? this.unanswered : this.refusals, nameOf({ status, code }));
        if (status !== 0 || !isGivenUp(code)) return;
      }
      const at = Math.floor((before + dueMs / 1_000) / this.sliceSeconds);
      this.slices[at] ??= new LatencyHistogram();
      for (const histogram of [this.fromDue, this.slices[at]]) histogram.record((endMs - dueMs) * 1_000);
      if (sentMs !== null) this.fromSent.record((endMs - sentMs) * 1_000);
    };
  }
}
