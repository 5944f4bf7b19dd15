/** The page at `/docs` over HTTP; `test/front/console/docs-page.ts` shows it in a browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestServer } from '../../support/test-server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(async () => {
  await server.stop();
});

test('the page and its parts have their content types and a policy that allows this host only', async () => {
  for (const [path, type] of [
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/renderer.js', 'text/javascript; charset=utf-8'],
    ['/docs/renderer.css', 'text/css; charset=utf-8'],
  ] as const) {
    const reply = await server.call(path, { key: '' });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], type);
    assert.equal(reply.headers['x-content-type-options'], 'nosniff');
    assert.match(
      String(reply.headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; /,
    );
  }
});
