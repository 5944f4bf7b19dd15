/** The one server of a test file, for tests that leave nothing behind but what they take away again. */
import assert from 'node:assert/strict';
import { after, beforeEach } from 'node:test';
import { TestServer } from './test-server.ts';

/**
 * Starts the server that the tests of the calling file share. Before each test its first shop is what it was at the
 * start; after all of them the server is stopped, and must have logged nothing that no test has taken from the log.
 */
export async function startServerOfFile(...start: Parameters<typeof TestServer.start>): Promise<TestServer> {
  const server = await TestServer.start(...start);
  beforeEach(() => server.restoreShop());
  after(async () => {
    await server.stop();
    assert.deepEqual(server.log, []);
  });
  return server;
}
