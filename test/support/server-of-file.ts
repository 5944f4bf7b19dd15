/** One server per test file, for tests that restore its state. */
import assert from 'node:assert/strict';
import { after, beforeEach } from 'node:test';
import { TestServer } from './test-server.ts';

/**
 * Starts the server that the tests of the calling file share. Before each test its first shop has its initial state.
 * After all tests the server is stopped; it must have no log line that no test has taken.
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
