// Recorded cases and recorded requests of a client over HTTP: each request gets its recorded answer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Schemas } from '../../src/front/client/client.ts';
import { answered, ServerProcess, temporaryFolder } from '../support/server-process.ts';

interface Recorded {
  readonly shop: { readonly currency: string; readonly timezone: string };
  readonly config: Schemas['ConfigData'];
  readonly cases: readonly {
    readonly name: string;
    readonly query: Readonly<Record<string, string>>;
    readonly request: unknown;
    readonly response: unknown;
  }[];
}

const projectFile = (path: string): Buffer => readFileSync(new URL(`../../../${path}`, import.meta.url));

const recorded: Recorded = JSON.parse(projectFile('test/cases/simulate.json').toString());

let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(folder.path);
});

after(async () => {
  await server?.stop('SIGKILL');
  await folder?.discard();
});

describe('the recorded cases over HTTP', () => {
  before(async () => {
    answered(await server.client.updateShop(recorded.shop));
    answered(await server.client.replaceConfig({ action: 'execute', data: recorded.config }));
  });

  for (const { name, query, request, response } of recorded.cases) {
    test(name, async () => {
      for (const path of ['/api/simulate', '/simulate']) {
        const reply = await server.call(`${path}?${new URLSearchParams(query)}`, { body: request });
        assert.equal(reply.status, 200, reply.text);
        assert.equal(JSON.stringify(reply.body), JSON.stringify(response));
      }
    });
  }
});

/** A request of a client of the first edition, and its answer by the last commit of that edition. */
interface Step {
  readonly verb: string;
  /** In path and body `@n` stands for the version that answer n told, and, alone, `@n:field` for a field of answer n. */
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** Generated ids and times: not the same in two runs. */
const CHANGING = /^([a-z]+_[0-9A-Z]{26}(_[0-9]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z|rw_.*)$/;

/** The value that the third edition has in place of one of the first (contract sections 12.1 and 12.8). */
function valueOfToday(then: unknown, path: string): unknown {
  if (path.endsWith('limits/methods')) return 5_000;
  if (path.endsWith('shadow/replayed')) return { runs: 0, evaluated: 0, different: 0, lost: 0, gained: 0 };
  return typeof then === 'string' ? then.replace('1 to 1,000 items', '1 to 500 items') : then;
}

/** Holds `now` to all that `then` has: more fields may be there, no field may be gone or have another value. */
function assertHolds(now: unknown, then: unknown, path: string): void {
  if (typeof then === 'string' && CHANGING.test(then)) {
    // Contract section 12.8: the key that entered, with its label.
    const value = path.endsWith('/staging/enteredBy') ? (now as { readonly keyId: string }).keyId : now;
    assert.equal(typeof value, 'string', path);
  } else if (typeof then !== 'object' || then === null) {
    assert.deepEqual(now, valueOfToday(then, path), path);
  } else {
    assert.ok(typeof now === 'object' && now !== null && Array.isArray(now) === Array.isArray(then), path);
    if (Array.isArray(then)) assert.equal((now as unknown[]).length, then.length, path);
    for (const [name, value] of Object.entries(then)) {
      assertHolds((now as Record<string, unknown>)[name], value, `${path}/${name}`);
    }
  }
}

test('a client of the first edition is answered as it was then', async () => {
  const steps = JSON.parse(
    gunzipSync(projectFile('data/first-edition/exchanges.json.gz')).toString(),
  ) as Step[];
  // Shops of that edition were made without a gate.
  answered(await server.client.updateShop({ promotionGate: null }));
  const answers: unknown[] = [];
  const versions: string[] = [];
  /** What a client sends back as it read it is what is answered today. */
  const filled = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (name, text) => {
      const [, step = '', field] = /^@([0-9]+)(?::([a-zA-Z]+))?$/.exec(String(text)) ?? [];
      if (step === '') return text;
      const answer = answers[Number(step)] as Record<string, unknown>;
      if (field !== undefined) return answer[field];
      return name === 'data' ? answer : versions[Number(step)];
    });
  for (const [at, { verb, path, body, status, answer }] of steps.entries()) {
    const named = `step ${at}, ${verb} ${path}`;
    const reply = await server.call(
      path.replace(/@([0-9]+)/, (_, step) => versions[Number(step)] ?? ''),
      {
        method: verb,
        ...(body !== undefined && { body: filled(body) }),
      },
    );
    assert.equal(reply.status, status, `${named}: ${reply.text}`);
    // The answer of a plain simulation is the same text.
    if (path.includes('/simulate?at=') && !path.includes('explain'))
      assert.equal(reply.text, JSON.stringify(answer), named);
    else assertHolds(reply.body, answer, named);
    answers.push(reply.body);
    versions.push(String(reply.headers['x-config-version']));
  }
});
