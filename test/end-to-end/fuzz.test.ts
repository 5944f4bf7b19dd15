// Random and invalid bodies on a real server, whose shop they change: bodies from the schemas with ids of existing
// records, and the same with one error. The server neither fails nor exits, and the configuration afterwards is
// complete. The long form: `RATEWRIGHT_FUZZ_BODIES=100000 npm test -- end-to-end/fuzz`.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { bodyOf, ID_SEGMENT, type Route } from '../../src/front/http/route.ts';
import { createRouteTable } from '../../src/front/http/route-table.ts';
import { callCommand } from '../cli/run-command.ts';
import { mutated, scratched, spoilt } from '../support/odd-bodies.ts';
import { valuesOf } from '../support/schema-arbitrary.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const BODIES = Number(process.env['RATEWRIGHT_FUZZ_BODIES'] ?? 400);
const TOGETHER = 10;
/** 503: on a busy machine a question may be late. */
const EXPECTED = [200, 201, 400, 404, 409, 422, 429, 503];
/** The ids for bodies are read again after this many bodies. */
const PART = 500;

/** Left out: routes of keys could revoke the key of the test; a callback needs a signature. */
const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }).filter(
  (route) => bodyOf(route) !== undefined && route.kind !== 'callback' && !route.name.endsWith('Key'),
);

interface Sent {
  readonly route: Route;
  readonly id: string;
  readonly body: string;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(folder.path, { RATEWRIGHT_LOG_LEVEL: 'error' });
});
after(() => folder.discard());

async function idsThere(): Promise<readonly string[]> {
  const { text } = await server.call('/api/config');
  const versions = await server.call('/api/versions?limit=20');
  const ids = [...(text + versions.text).matchAll(/"(?:id|versionId)":"([\w-]+)"/g)].map(([, id = '']) => id);
  return [...new Set(ids)].filter((id) => !id.startsWith('key_'));
}

function sentTo(route: Route, ids: readonly string[]): fc.Arbitrary<Sent> {
  const body = bodyOf(route);
  assert.ok(body !== undefined);
  const known = fc.constantFrom(...ids);
  const isOfId = (pattern: string): boolean =>
    new RegExp(pattern, 'u').test(ids[0] ?? '') && pattern.includes('{');
  const whole = valuesOf(body.schema, (pattern) => (isOfId(pattern) ? known : null));
  const text = whole.map((value) => JSON.stringify(value));
  const bodies = fc.oneof(
    { weight: 3, arbitrary: text },
    whole.chain(mutated).map((value) => JSON.stringify(value)),
    text.chain(scratched),
    text.chain(spoilt).map((bytes) => Buffer.from(bytes).toString()),
  );
  return fc.record({ route: fc.constant(route), id: known, body: bodies }, { noNullPrototype: true });
}

const replies = new Map<number, number>();

async function send({ route, id, body }: Sent): Promise<void> {
  // The server process of the tests checks the reply against the documentation of its route.
  const path = (route.paths.at(-1) ?? '').replace(ID_SEGMENT, id);
  const { status, text } = await server.call(path, { method: route.verb, body });
  assert.ok(EXPECTED.includes(status), `${route.verb} ${path} ${body.slice(0, 500)}: ${text.slice(0, 300)}`);
  replies.set(status, (replies.get(status) ?? 0) + 1);
}

test(`${BODIES} bodies: no failure, no exit, and a complete configuration afterwards`, async (context) => {
  for (let left = BODIES; left > 0; left -= PART) {
    const ids = await idsThere();
    const together = fc.array(fc.oneof(...routes.map((route) => sentTo(route, ids))), {
      minLength: TOGETHER,
      maxLength: TOGETHER,
    });
    const property = fc.asyncProperty(together, async (sent) => {
      // To make the bodies may take longer than the server keeps a connection: its end is read in this turn.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(sent.map(send));
      assert.equal(server.process.exitCode, null);
    });
    await fc.assert(property, { numRuns: Math.ceil(Math.min(left, PART) / TOGETHER) });
    // An active changeset would receive all later writes.
    const end = left % (2 * PART) === 0 ? { action: 'promote', force: true } : { action: 'discard' };
    await server.call('/api/staging', { body: end });
    assert.equal((await server.call('/api/config')).status, 200);
  }
  const told = [...replies].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  context.diagnostic(told.join(', '));
  assert.ok((replies.get(200) ?? 0) > 0 && (replies.get(201) ?? 0) > 0 && (replies.get(400) ?? 0) > 0);
  assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
  assert.equal(server.output.stderr, '');
  const verified = await callCommand(folder.path, ['verify']);
  assert.match(verified.stdout, /all whole/, verified.stderr);
});
