/**
 * The port for spans: what was done for a request, from when to when, as an operator's tracing shows it. There are none
 * where the operator has registered no provider.
 */
import type { TraceParent } from './trace-parent.ts';

export interface SpanAttributes {
  readonly [name: string]: string | number;
}

/** Names that the semantic conventions of OpenTelemetry do not have. */
export const ATTRIBUTES = {
  requestId: 'ratewright.request.id',
  shopId: 'ratewright.shop.id',
  keyId: 'ratewright.key.id',
  errorCode: 'ratewright.error.code',
  question: 'ratewright.question',
  records: 'ratewright.append.records',
} as const;

/** No call throws. */
export interface Span {
  /** Begins a span of something that is done within this one. */
  begin(name: string, attributes: SpanAttributes): Span;
  /** Call once. `fault` says what failed, as a constant; null for a success and for what the client did wrong. */
  end(attributes: SpanAttributes, fault: string | null): void;
}

/** No call throws. */
export interface Tracer {
  /** Begins the span of a request from outside, whose sender may have named a trace. */
  begin(name: string, attributes: SpanAttributes, parent: TraceParent | null): Span;
  /** Resolves when the spans that ended before were passed on; never rejects. */
  flush(): Promise<void>;
}
