/** The site of the documents as its generator builds it, dead links refused, and its search in a browser. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { filesBelow, projectRoot } from '../house/project-files.ts';
import { launchBrowser, noBrowserReason } from '../support/browser.ts';
import { IS_UNREACHABLE } from '../support/installed-package.ts';

const BUILT = join(projectRoot, 'dist/docs');
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/build-docs.mjs'], {
  cwd: projectRoot,
  encoding: 'utf8',
});
const isInstalled = existsSync(join(projectRoot, 'dist/docs-package/node_modules/.installed-lock.json'));
const skip = !isInstalled && IS_UNREACHABLE.test(stderr) && 'the registry of npm cannot be reached';

describe('the site of the documents', { skip }, () => {
  let server: Server;
  let address = '';
  before(async () => {
    assert.equal(status, 0, stdout + stderr);
    server = createServer(({ url = '/' }, answer) => {
      const { pathname } = new URL(url, 'http://site');
      const file = join(BUILT, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      if (!existsSync(file)) return answer.writeHead(404).end();
      const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      return answer.writeHead(200, { 'content-type': type }).end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server?.close());

  it('has a page of HTML for each page that was made', () => {
    const pages = filesBelow('dist/docs-package/pages', '.md').map((path) =>
      path.replace('dist/docs-package/pages/', '').replace(/\.md$/, '.html'),
    );
    assert.ok(pages.length > 50);
    assert.deepEqual(
      pages.filter((path) => !existsSync(join(BUILT, path))),
      [],
    );
  });

  describe('in a browser', { skip: noBrowserReason }, () => {
    let browser: Browser;
    let page: Page;
    const faults: string[] = [];
    before(async () => {
      browser = await launchBrowser();
      page = await browser.newPage({ viewport: { width: 400, height: 900 } });
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('response', (answer) => {
        if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
      });
    });
    after(() => browser?.close());

    it('begins with the three afternoons, and no page is wider than a phone', async () => {
      for (const path of ['/', '/data/recipes/islands.html', '/api/simulation.html', '/CHANGELOG.html']) {
        await page.goto(address + path, { waitUntil: 'networkidle' });
        const width = await page.evaluate('document.documentElement.scrollWidth');
        assert.equal(width, 400, path);
      }
      await page.goto(address, { waitUntil: 'networkidle' });
      const headings = await page.locator('.vp-doc h2').allInnerTexts();
      assert.equal(headings.filter((text) => /engineer|operator/.test(text)).length, 3);
    });

    it('finds operations and recipes, and leads to them', async () => {
      for (const [text, heading] of [
        ['PUT /api/methods', 'PUT /api/methods'],
        ['packstation locker', 'PO boxes and parcel lockers'],
      ] as const) {
        await page.goto(address, { waitUntil: 'networkidle' });
        await page.keyboard.press('Control+k');
        await page.locator('.VPLocalSearchBox input').fill(text);
        const found = page.locator('.VPLocalSearchBox .result').first();
        await found.getByText(heading).first().waitFor();
        await found.click();
        await page.locator('.vp-doc').getByText(heading).first().waitFor();
      }
      assert.deepEqual(faults, []);
    });
  });
});
