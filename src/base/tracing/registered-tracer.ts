/**
 * Spans of OpenTelemetry, through the provider that the operator has registered before the program was loaded. Contexts are
 * handed on with the spans: no context manager is needed. An error of the provider goes to the diagnostics of
 * OpenTelemetry and changes nothing else.
 */
import {
  diag,
  ProxyTracerProvider,
  type Span as RecordedSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  type Tracer as SpanMaker,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { Span, SpanAttributes, Tracer } from './span.ts';
import type { TraceParent } from './trace-parent.ts';

const NAME = 'ratewright';

/** What the providers of the SDK have beyond the interface. */
interface Flushed {
  readonly forceFlush?: () => Promise<void>;
}

/** The tracer of the registered provider; null when there is none. */
export function registeredTracer(version: string): Tracer | null {
  const provider = trace.getTracerProvider();
  // Without a provider this is a placeholder of the API that never got one.
  if (provider instanceof ProxyTracerProvider && provider.getDelegateTracer(NAME) === undefined) return null;
  const maker = provider.getTracer(NAME, version);
  return {
    begin: (name, attributes, parent) => {
      const context =
        parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remoteContext(parent));
      return beginSpan(maker, name, { kind: SpanKind.SERVER, attributes }, context);
    },
    flush: async () => {
      try {
        await flushedOf(provider).forceFlush?.();
      } catch (error) {
        report(error);
      }
    },
  };
}

/** The provider behind the placeholder of the API, which may be that of another copy of the package. */
function flushedOf(provider: TracerProvider): Flushed {
  const { getDelegate } = provider as Partial<ProxyTracerProvider>;
  return (getDelegate === undefined ? provider : getDelegate.call(provider)) as Flushed;
}

const remoteContext = ({ traceId, spanId, isSampled }: TraceParent): SpanContext => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

const report = (error: unknown): void => diag.error('a span of ratewright was lost', error);

function beginSpan(maker: SpanMaker, name: string, options: SpanOptions, context = ROOT_CONTEXT): Span {
  try {
    return new MadeSpan(maker, maker.startSpan(name, options, context));
  } catch (error) {
    report(error);
    return LOST;
  }
}

class MadeSpan implements Span {
  readonly #maker: SpanMaker;
  readonly #span: RecordedSpan;

  constructor(maker: SpanMaker, span: RecordedSpan) {
    this.#maker = maker;
    this.#span = span;
  }

  begin(name: string, attributes: SpanAttributes): Span {
    return beginSpan(this.#maker, name, { attributes }, trace.setSpan(ROOT_CONTEXT, this.#span));
  }

  end(attributes: SpanAttributes, fault: string | null): void {
    try {
      this.#span.setAttributes(attributes);
      if (fault !== null) {
        this.#span.setAttribute('error.type', fault);
        this.#span.setStatus({ code: SpanStatusCode.ERROR });
      }
      this.#span.end();
    } catch (error) {
      report(error);
    }
  }
}

/** In the place of a span that the provider did not make. */
const LOST: Span = { begin: () => LOST, end: () => {} };
