// A client with a key that may write sends expensive bodies of 16 MB. Others wait for an answer no longer than during the largest
// valid body. The waits are measured by this process, which requests /healthz meanwhile.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLarge } from '../../bench/profiles/large.ts';
import { ENGINE_FLAGS } from '../../src/base/runtime/engine-flags.ts';
import { DEMO_KEY } from '../support/server-process.ts';
import { openLoadStage, untilShown } from './load-stage.ts';

const BYTES = 16_000_000;
/** A shorter wait than this may be caused by other work of the machine. */
const ALLOWANCE_MS = 200;
const FACTOR_MAX = 2;

/** `unit`, repeated up to the length of a body. */
const many = (unit: string): string => unit.repeat(Math.floor(BYTES / unit.length));
const names = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => `"name${from + at}":1`).join();
const preview = (data: string): string => `{"action":"preview","data":{${data}}}`;

const HOSTILE: Readonly<Record<string, () => string>> = {
  'arrays that are not closed': () => many('['),
  'arrays that are closed': () => '['.repeat(BYTES / 2) + ']'.repeat(BYTES / 2),
  'objects that are not closed': () => many('{"a":'),
  'arrays and objects within the data': () => preview(`"zones":${many('[{"a":')}`),
  'numbers in place of the body': () => `[${many('1,')}1]`,
  'numbers in place of methods': () => preview(`"methods":[${many('1,')}1]`),
  'empty methods': () => preview(`"methods":[${many('{},')}{}]`),
  'names in place of the body': () => `{${names(1_000_000)}}`,
  'names in a field that is ignored': () => preview(`"versionId":{${names(1_000_000)}}`),
  'as many names as a body may have': () =>
    preview(`"methods":[${Array.from({ length: 300 }, () => `{${names(4_000)}}`).join()}]`),
  'as many objects as a body may have': () => preview(`"methods":[${'{},'.repeat(499_990)}{}]`),
  'texts in place of methods': () =>
    preview(`"methods":[${Array.from({ length: 1_500_000 }, (_, at) => `"${at}"`).join()}]`),
  'as many levels as a body may have': () =>
    preview(`"methods":[${many(`${'['.repeat(61)}${'1,'.repeat(9_000)}1${']'.repeat(61)},`)}1]`),
  'one text of escapes': () => preview(`"methods":"${many('\\u0041')}"`),
};

test('a hostile body delays others no longer than the largest valid body', {
  timeout: 300_000,
}, async (context) => {
  const stage = await openLoadStage(context, {}, Object.keys(ENGINE_FLAGS));
  const { port, server } = stage;

  /** Sends the body; resolves with the status of its answer and the longest wait of others meanwhile. */
  async function longestWait(text: string): Promise<{ readonly status: number; readonly waitMs: number }> {
    const body = Buffer.from(text);
    let isAnswered = false;
    const sender = connect(port, '127.0.0.1');
    const answer = once(sender, 'data').then(([data]) => {
      isAnswered = true;
      return data as Buffer;
    });
    let waitMs = 0;
    const waits = (async () => {
      while (!isAnswered) {
        const startMs = performance.now();
        assert.equal((await server.call('/healthz', { key: null })).status, 200);
        waitMs = Math.max(waitMs, performance.now() - startMs);
        await sleep(1);
      }
    })();
    sender.on('error', () => {});
    sender.write(
      `POST /api/config HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${DEMO_KEY}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    sender.write(body);
    const status = Number((await answer).toString('latin1', 9, 12));
    await waits;
    sender.destroy();
    return { status, waitMs };
  }

  const lawful = JSON.stringify({ action: 'execute', data: makeLarge().config });
  const { status: lawfulStatus, waitMs: lawfulMs } = await longestWait(lawful);
  assert.equal(lawfulStatus, 200);
  context.diagnostic(`the lawful body, ${lawful.length} bytes: ${lawfulMs.toFixed(0)} ms`);
  for (const [what, make] of Object.entries(HOSTILE)) {
    const text = make();
    await untilShown(context, server, async () => {
      const { status, waitMs } = await longestWait(text);
      assert.equal(status, 400, what);
      context.diagnostic(`${what}: ${waitMs.toFixed(0)} ms`);
      return waitMs <= FACTOR_MAX * lawfulMs + ALLOWANCE_MS
        ? null
        : `${what}: ${waitMs} ms beside ${lawfulMs} ms`;
    });
  }
});
