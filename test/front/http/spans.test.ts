/** Spans of requests, with a provider as an operator registers one. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { diag, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { request } from 'undici';
import { registeredTracer } from '../../../src/base/tracing/registered-tracer.ts';
import { openQuestionStage, SECRET } from '../../shop/pool/question-stage.ts';
import { CART, TestServer } from '../../support/test-server.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

test('without a provider there is no tracer', () => {
  assert.equal(registeredTracer('1.0.0'), null);
});

test('a provider that another copy of the API registered is found', () => {
  const require = createRequire(import.meta.url);
  const ofApi = (path: string): boolean => /[\\/]@opentelemetry[\\/]api[\\/]/.test(path);
  for (const path of Object.keys(require.cache).filter(ofApi)) delete require.cache[path];
  const copy = require('@opentelemetry/api') as { readonly trace: typeof trace };
  assert.notEqual(copy.trace, trace);
  copy.trace.setGlobalTracerProvider(new BasicTracerProvider());
  assert.notEqual(registeredTracer('1.0.0'), null);
  copy.trace.disable();
  assert.equal(registeredTracer('1.0.0'), null);
});

const exporter = new InMemorySpanExporter();

test('a provider that is registered before the start is found', () => {
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  assert.notEqual(registeredTracer('1.0.0'), null);
});

const tracerOfTest = () => {
  const tracer = registeredTracer('1.0.0');
  assert.ok(tracer !== null);
  exporter.reset();
  return tracer;
};

/** Waits for this many spans, in the order of their ends. */
async function spansOf(count: number): Promise<readonly ReadableSpan[]> {
  while (exporter.getFinishedSpans().length < count) await new Promise((resolve) => setImmediate(resolve));
  const spans = exporter.getFinishedSpans();
  assert.equal(spans.length, count);
  exporter.reset();
  return spans;
}

const parentOf = ({ parentSpanContext }: ReadableSpan) => parentSpanContext?.spanId;

test('a write has the span of its append below it, a question that of its task', async (context) => {
  const stage = await openQuestionStage(context, tracerOfTest());
  const { port } = await stage.open();
  const call = async (path: string, body: object, traceparent = '') => {
    const { statusCode, headers } = await request(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: SECRET, 'content-type': 'application/json', traceparent },
      body: JSON.stringify(body),
    });
    return { status: statusCode, requestId: String(headers['x-request-id']) };
  };
  const created = await call('/api/groups', { name: 'A' }, `00-${TRACE}-${PARENT}-01`);
  assert.equal(created.status, 201);
  const [append, write] = (await spansOf(2)) as [ReadableSpan, ReadableSpan];
  assert.deepEqual([append.name, write.name], ['append', 'POST /api/groups']);
  assert.equal(parentOf(append), write.spanContext().spanId);
  assert.equal(parentOf(write), PARENT);
  for (const span of [append, write]) assert.equal(span.spanContext().traceId, TRACE);
  assert.equal(write.kind, SpanKind.SERVER);
  assert.ok(append.duration.every((part) => part >= 0));
  assert.deepEqual(append.attributes, { 'ratewright.shop.id': 'shop_a', 'ratewright.append.records': 1 });
  const { 'ratewright.key.id': keyId, ...attributes } = write.attributes;
  assert.match(String(keyId), /^key_/);
  assert.deepEqual(attributes, {
    'http.request.method': 'POST',
    'url.scheme': 'http',
    'url.path': '/api/groups',
    'http.route': '/api/groups',
    'http.response.status_code': 201,
    'ratewright.request.id': created.requestId,
    'ratewright.shop.id': 'shop_a',
  });

  // A refused write is appended nowhere.
  assert.equal((await call('/api/groups', { id: 'no', name: '' })).status, 400);
  const [refused] = await spansOf(1);
  assert.equal(refused?.attributes['ratewright.error.code'], 'VALIDATION_ERROR');
  assert.deepEqual(
    [refused.status.code, refused.attributes['error.type']],
    [SpanStatusCode.UNSET, undefined],
  );

  assert.equal((await call('/api/checks', { action: 'run' })).status, 200);
  const [task, question] = (await spansOf(2)) as [ReadableSpan, ReadableSpan];
  assert.deepEqual([task.name, question.name], ['pool task', 'POST /api/checks']);
  assert.equal(parentOf(task), question.spanContext().spanId);
  assert.equal(parentOf(question), undefined);
  assert.deepEqual(task.attributes, {
    'ratewright.shop.id': 'shop_a',
    'ratewright.question': 'runChecks',
  });
});

test('the span of a request says how it ended, and its route but for an unknown path', async (context) => {
  const server = await TestServer.start({}, { tracer: tracerOfTest() });
  context.after(() => server.stop());
  const spanOf = async (path: string, call: Parameters<typeof server.call>[1] = {}) => {
    await server.call(path, call);
    const [span] = await spansOf(1);
    assert.ok(span !== undefined);
    return span;
  };
  const read = await spanOf('/api/zones/zone_us', { headers: { traceparent: `00-${TRACE}-${PARENT}-1` } });
  assert.deepEqual([read.name, read.attributes['http.route']], ['GET /api/zones/:id', '/api/zones/:id']);
  assert.notEqual(read.spanContext().traceId, TRACE);
  // The sampler of the provider follows a caller that does not sample.
  await server.call('/healthz', { key: '', headers: { traceparent: `00-${TRACE}-${PARENT}-00` } });
  assert.equal((await spanOf('/simulate', { body: CART })).name, 'POST /simulate');

  const unknown = await spanOf('/nothing', { verb: 'PATCH' });
  assert.deepEqual([unknown.name, unknown.attributes['http.route']], ['PATCH', undefined]);
  assert.equal(unknown.attributes['ratewright.error.code'], 'NOT_FOUND');

  const { simulateWith } = server.shop;
  server.shop.simulateWith = () => {
    throw new Error('a bug');
  };
  const failed = await spanOf('/simulate', { body: CART });
  server.shop.simulateWith = simulateWith;
  assert.equal(failed.status.code, SpanStatusCode.ERROR);
  assert.equal(failed.attributes['error.type'], 'INTERNAL_ERROR');

  await server.raw('BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n', 20);
  const [odd] = await spansOf(1);
  assert.deepEqual(
    [odd?.name, odd?.attributes['http.request.method'], odd?.attributes['http.request.method_original']],
    ['HTTP', '_OTHER', 'BREW'],
  );
});

test('a provider that throws loses its spans, and no request notices', async (context) => {
  const errors: unknown[] = [];
  const noted = (_: string, error: unknown): void => void errors.push(error);
  diag.setLogger({ error: noted, warn: noted, info: noted, debug: () => {}, verbose: () => {} });
  const bug = new Error('a bug');
  const thrown = (): never => {
    throw bug;
  };
  for (const broken of [{ onStart: thrown }, { onEnd: thrown }]) {
    trace.disable();
    const processor = { onStart: () => {}, onEnd: () => {}, shutdown: async () => {}, ...broken };
    const spanProcessors = [{ ...processor, forceFlush: () => Promise.reject(bug) }];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    const tracer = tracerOfTest();
    const server = await TestServer.start({}, { tracer });
    context.after(() => server.stop());
    assert.equal((await server.call('/simulate', { body: CART })).status, 200);
    assert.deepEqual(errors.splice(0), [bug]);
    await tracer.flush();
    assert.equal(errors.splice(0).length, 1);
    assert.deepEqual(server.log, []);
  }
});
