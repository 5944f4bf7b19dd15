/** The page at `/docs`, as a browser sees it: it renders every operation, alone and within its policy. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { BROWSER_FLAGS, installedBrowser } from '../support/browser.ts';
import { TestServer } from '../support/test-server.ts';

const BROWSER = installedBrowser();

let server: TestServer;
let browser: Browser | undefined;
before(async () => {
  server = await TestServer.start();
});
after(async () => {
  await browser?.close();
  await server.stop();
});

test('the page and its parts come with their types and a policy that allows this host only', async () => {
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

test('a browser shows every operation, reaches no other host and can try one', {
  skip: BROWSER === undefined ? 'there is no Chromium on this machine' : false,
}, async () => {
  const origin = `http://127.0.0.1:${server.running.port}`;
  browser = await chromium.launch({ executablePath: BROWSER ?? '', args: [...BROWSER_FLAGS] });
  const page = await browser.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (sent) => {
    if (!sent.url().startsWith(origin) && !sent.url().startsWith('data:')) strangers.push(sent.url());
  });
  await page.goto(`${origin}/docs`);
  await page.locator('.opblock').first().waitFor();
  const { paths } = (await server.call('/openapi.json')).body as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((verbs) => Object.keys(verbs));
  assert.equal(await page.locator('.opblock').count(), operations.length);
  assert.match((await page.locator('.info .title').textContent()) ?? '', /Ratewright/);

  await page.locator('.scheme-container button.authorize').click();
  await page.locator('.auth-container input').first().fill('shop_a-read');
  await page.locator('.auth-container button.authorize').first().click();
  await page.locator('.auth-container button.btn-done').first().click();
  const operation = page.locator('.opblock', { has: page.locator('[data-path="/api/shop"]') }).first();
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table .response-col_status').first();
  await response.waitFor();
  await operation.locator('.live-responses-table td.response-col_status').first().waitFor();
  assert.match((await operation.locator('.live-responses-table').textContent()) ?? '', /200.*"shop_a"/s);
  assert.deepEqual({ complaints, strangers }, { complaints: [], strangers: [] });
});
