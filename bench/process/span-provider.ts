/** Loaded into a server before its own code: a provider of spans that makes each of them and passes it on to nobody. */
import { isMainThread } from 'node:worker_threads';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';

const nowhere: SpanExporter = {
  export: (_, done) => done({ code: 0 }),
  shutdown: async () => {},
};

if (isMainThread) {
  const spanProcessors = [new BatchSpanProcessor(nowhere)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
}
