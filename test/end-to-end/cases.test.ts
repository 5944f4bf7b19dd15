// The recorded cases over HTTP: each gets exactly its recorded answer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Schemas } from '../../src/client/client.ts';
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

const recorded: Recorded = JSON.parse(
  readFileSync(new URL('../../../test/cases/simulate.json', import.meta.url), 'utf8'),
);

describe('the recorded cases over HTTP', () => {
  let server: ServerProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
    server = await ServerProcess.start(folder.path);
    answered(await server.client.updateShop(recorded.shop));
    answered(await server.client.replaceConfig({ action: 'execute', data: recorded.config }));
  });

  after(async () => {
    await server?.stop('SIGKILL');
    await folder?.discard();
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
