/**
 * The console in a real browser, on the demo shop of a real server: the pages through their main jobs by mouse and by
 * keyboard, their accessibility, the policy, and the size. Screenshots are kept in `dist/screenshots/`.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser, noBrowserReason } from '../support/browser.ts';
import { answered, DEMO_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const DIST = fileURLToPath(new URL('../../', import.meta.url));
const SCREENSHOTS = join(DIST, 'screenshots');
const COMPRESSED_BYTES_MAX = 80 * 1_024;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Nothing answers later than this unless it never does. */
const WAIT_MS = 30_000;

const demoCart = (name: string): string =>
  readFileSync(new URL(`../../../data/carts/${name}.json`, import.meta.url), 'utf8');
const place = (page: string, parameters: Readonly<Record<string, string>>): string =>
  `#/${page}?${new URLSearchParams(parameters)}`;

/** A new tab begins with an empty document, which has no storage. */
const SIGN_IN = `if (location.protocol === 'http:') sessionStorage.setItem('ratewright-key', '${DEMO_KEY}')`;

/** Page -> where it has something to show, and a text that is there once it does. */
const PLACES: Readonly<Record<string, readonly [fragment: string, shown: string]>> = {
  tester: [
    place('tester', { cart: demoCart('us-po-box'), open: 'method_us_expedited', changes: 'shown' }),
    'versions evaluated',
  ],
  changeset: ['#/changeset', 'Enter a changeset'],
  history: [place('history', { from: '1', to: 'live' }), 'Product group'],
};

test('script and style together stay below 80 KB as they are sent', () => {
  const folder = join(DIST, 'src/http/console-page');
  const sent = readdirSync(folder).filter((name) => name.endsWith('.br'));
  assert.equal(sent.length, 2);
  const bytes = sent.map((name) => statSync(join(folder, name)).size).reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 10_000 && bytes < COMPRESSED_BYTES_MAX, `${bytes} bytes`);
});

describe('in a browser', { skip: noBrowserReason }, () => {
  let server: ServerProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let browser: Browser;
  const complaints: string[] = [];

  before(async () => {
    folder = await temporaryFolder();
    [server, browser] = await Promise.all([ServerProcess.start(folder.path), launchBrowser()]);
    mkdirSync(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await browser?.close();
    await server?.stop('SIGKILL');
    await folder?.discard();
  });

  /** Notes what the page complains about, and what it asks of another host. */
  function watch(context: BrowserContext): void {
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    context.on('weberror', (error) => complaints.push(error.error().message));
    context.on('request', (sent) => {
      if (!sent.url().startsWith(server.url) && !sent.url().startsWith('data:')) complaints.push(sent.url());
    });
  }

  async function opened(fragment: string, isSignedIn = true): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1_400, height: 900 } });
    context.setDefaultTimeout(WAIT_MS);
    watch(context);
    if (isSignedIn) {
      await context.addInitScript(SIGN_IN);
    }
    const page = await context.newPage();
    await page.goto(`${server.url}/console${fragment}`);
    return page;
  }

  const priceOf = (page: Page, name: string): Promise<string | null> =>
    page
      .getByRole('row', { name: new RegExp(`^${name}`) })
      .locator('strong')
      .textContent();

  test('a key leads to the rate tester with a cart of the shop, and is not part of the link', async () => {
    const page = await opened('', false);
    await page.getByLabel('API key').fill('rw_of_nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key is not known').waitFor();
    complaints.splice(0);
    await page.getByLabel('API key').fill(DEMO_KEY);
    await page.keyboard.press('Enter');
    await page.getByText(/^Offered/).waitFor();
    assert.ok(!page.url().includes(DEMO_KEY));
    assert.match(page.url(), /#\/tester\?cart=/);
    await page.context().close();
  });

  test('a pasted cart is priced as the API prices it, and a reason is found by mouse', async () => {
    const cart = demoCart('us-po-box');
    const { rates } = answered(await server.client.simulate(JSON.parse(cart)));
    const page = await opened('#/tester');
    await page.getByRole('button', { name: 'Paste or pick…' }).click();
    await page.getByLabel('Cart as JSON').fill(cart);
    await page.getByRole('button', { name: 'Use this cart' }).click();
    for (const { serviceName, totalPrice } of rates) {
      const dollars = `$${(totalPrice / 100).toFixed(2)}`;
      await page
        .getByRole('row', { name: `${serviceName}`, exact: false })
        .getByText(dollars)
        .first()
        .waitFor();
    }
    await page.getByRole('button', { name: 'Expedited' }).click();
    const detail = page.getByRole('region', { name: 'Expedited' });
    await detail.getByText('Hidden by a rule').waitFor();
    assert.match((await detail.textContent()) ?? '', /the cart has “po box 1174”/);
    assert.match((await detail.textContent()) ?? '', /\$14\.95/);
    await page.context().close();
  });

  test('a shop that is busy is asked again until it answers', async () => {
    const page = await opened('');
    await page.getByText(/^Offered/).waitFor();
    let refused = 0;
    await page.route('**/api/simulate*', (route) => {
      if (++refused > 4) return route.continue();
      const error = { code: 'RATE_LIMITED', message: 'the shop has too many requests waiting' };
      return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { success: false, error } });
    });
    await page.getByLabel('Quantity').first().fill('3');
    await page.getByText(/^The shop is busy/).waitFor();
    await page.getByText(/^The shop is busy/).waitFor({ state: 'detached' });
    assert.equal(refused, 5);
    complaints.splice(0);
    await page.context().close();
  });

  test('the proposed change shows a hidden method when it is applied', async () => {
    const page = await opened(place('tester', { cart: demoCart('us-two-groups') }));
    await page.getByRole('table', { name: /^Hidden/ }).waitFor();
    const { methodEvaluations } = answered(
      await server.client.simulate(JSON.parse(demoCart('us-two-groups')), { query: { explain: 'full' } }),
    );
    const hidden = methodEvaluations.find(({ visible, whyNot }) => !visible && whyNot);
    assert.ok(hidden !== undefined, 'the cart has a method that one change would show');
    await page.getByRole('button', { name: hidden.methodName, exact: true }).click();
    await page.getByRole('button', { name: 'Apply to the cart' }).first().click();
    const price = hidden.whyNot?.totalPrice ?? 0;
    await page
      .getByRole('table', { name: /^Offered/ })
      .getByRole('row', { name: hidden.methodName })
      .getByText(`$${(price / 100).toFixed(2)}`)
      .waitFor();
    await page.context().close();
  });

  test('the keyboard alone moves through the rates, opens one, leaves it, and changes the cart', async () => {
    const page = await opened(place('tester', { cart: demoCart('us-po-box') }));
    await page.getByText(/^Offered/).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Standard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Standard' }).waitFor({ state: 'detached' });
    await page.getByLabel('Quantity').first().focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('40');
    const cart = JSON.parse(demoCart('us-po-box'));
    cart.items[0].quantity = 40;
    const [rate] = answered(await server.client.simulate(cart)).rates;
    assert.ok(rate !== undefined);
    await page
      .getByRole('row', { name: rate.serviceName })
      .getByText(`$${(rate.totalPrice / 100).toFixed(2)}`)
      .waitFor();
    await page.context().close();
  });

  test('a price is compared with that of a version, and the link shows the same to another reader', async () => {
    const cart = demoCart('us-po-box');
    const method = answered(await server.client.getMethod('method_us_economy')).method;
    const before = answered(await server.client.listVersions()).versions[0]?.number;
    answered(await server.client.updateMethod(method.id, { rateType: 'flat', config: { price: 1 } }));
    const page = await opened(place('tester', { cart }));
    await page.getByText(/^Offered/).waitFor();
    await page.getByLabel('Compare with version').fill(String(before));
    await page.keyboard.press('Enter');
    await page
      .getByRole('columnheader', { name: `Version ${before}` })
      .first()
      .waitFor();
    await page.getByText('differs').first().waitFor();
    assert.equal(await priceOf(page, 'Economy'), '$0.01');
    const link = page.url();
    const other = await opened(link.slice(link.indexOf('#')));
    await other.getByText('differs').first().waitFor();
    const { rateType, config } = method;
    answered(await server.client.updateMethod(method.id, { rateType, config } as never));
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test('the version that changed a price is found by its cart, with the difference it made', async () => {
    const { method } = answered(await server.client.getMethod('method_us_economy'));
    const { rateType, config } = method;
    answered(await server.client.updateMethod(method.id, { rateType: 'flat', config: { price: 2 } }));
    const wrong = answered(await server.client.listVersions()).versions[0]?.number ?? 0;
    answered(await server.client.updateMethod(method.id, { rateType, config } as never));
    const page = await opened(place('tester', { cart: demoCart('us-po-box'), open: method.id }));
    await page.getByRole('button', { name: 'When did this change?' }).click();
    const detail = page.getByRole('region', { name: 'Economy' });
    const change = detail.getByRole('listitem').filter({ hasText: new RegExp(`Version ${wrong},`) });
    await change.getByRole('insertion').filter({ hasText: '$0.02' }).first().waitFor();
    await change.getByText(`What version ${wrong} changed`).click();
    await change.getByText('rateType').waitFor();
    await change.getByRole('button', { name: /^Compare the versions/ }).click();
    await page
      .getByRole('columnheader', { name: `Version ${wrong}` })
      .first()
      .waitFor();
    await page.context().close();
  });

  test('customer, order total and size are typed into the cart that is asked about', async () => {
    const page = await opened(place('tester', { cart: demoCart('us-po-box') }));
    await page.getByText(/^Offered/).waitFor();
    await page.getByText('Customer and order total').click();
    await page.getByLabel('Customer tags').fill('club, trade');
    await page.getByLabel('Customer id').fill('42');
    await page.getByLabel('Order total after discounts').fill('19.50');
    await page.getByText('Tags, SKU, size and more').first().click();
    await page.getByLabel('Length (mm)').first().fill('300');
    const asked = page.waitForRequest(
      (sent) => sent.url().includes('/api/simulate') && (sent.postData() ?? '').includes('"width":200'),
    );
    await page.getByLabel('Width (mm)').first().fill('200');
    const cart = JSON.parse((await asked).postData() ?? '');
    assert.deepEqual(cart.customer, { tags: 'club, trade', id: '42' });
    assert.deepEqual(cart.orderTotals, { totalPrice: 1_950 });
    assert.equal(cart.items[0].length, 300);
    await page.context().close();
  });

  test('a field that the service refuses says why, and keeps what was typed', async () => {
    const page = await opened(place('tester', { cart: demoCart('us-po-box') }));
    await page.getByText(/^Offered/).waitFor();
    await page.getByLabel('Quantity').first().fill('0');
    await page.getByText(/^must be a whole number from 1/).waitFor();
    assert.equal(await page.getByLabel('Quantity').first().getAttribute('aria-invalid'), 'true');
    assert.equal(await page.getByLabel('Quantity').first().inputValue(), '0');
    complaints.splice(0);
    await page.context().close();
  });

  test('a check is saved from the tester and holds', async () => {
    const page = await opened(place('tester', { cart: demoCart('us-po-box') }));
    await page.getByText(/^Offered/).waitFor();
    await page.getByRole('button', { name: 'Save as check…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('PO box in Montana');
    await page.getByRole('button', { name: 'Save the check' }).click();
    await page.getByText('Saved the check PO box in Montana').waitFor();
    const { checks } = answered(await server.client.listChecks());
    const saved = checks.find(({ name }) => name === 'PO box in Montana');
    assert.ok(saved !== undefined);
    assert.deepEqual(saved.request, JSON.parse(demoCart('us-po-box')));
    const run = answered(await server.client.createOrRunChecks({ action: 'run', ids: [saved.id] }));
    assert.ok('passed' in run && run.passed === 1);
    await page.context().close();
  });

  test('a version is found in the history, tried in the tester, and rolled back to after its preview', async () => {
    const { method } = answered(await server.client.getMethod('method_us_economy'));
    const before = answered(await server.client.listVersions()).versions[0]?.number ?? 0;
    answered(await server.client.updateMethod(method.id, { rateType: 'flat', config: { price: 3 } }));
    const page = await opened('#/history');
    const row = page.getByRole('button', { name: new RegExp(`^Version ${before},`) });
    await row.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: `Version ${before + 1}` })
      .getByText('$0.03')
      .waitFor();
    await page.keyboard.press('Escape');
    await row.click();
    const panel = page.getByRole('region', { name: `Version ${before}` });
    const then = await panel.getByRole('link', { name: /^Test a cart/ }).getAttribute('href');
    assert.equal(then, place('tester', { columns: `live,${before}` }));
    await panel.getByRole('button', { name: /^Roll back/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Roll back' }).waitFor();
    // Another editor saves while the preview is open.
    answered(await server.client.updateMethod(method.id, { rateType: 'flat', config: { price: 4 } }));
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await dialog.getByText(/^The configuration was changed meanwhile/).waitFor();
    assert.equal(answered(await server.client.listVersions()).versions[0]?.number, before + 2);
    complaints.splice(0);
    await dialog.getByText('$0.04').waitFor();
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText(`Version ${before + 3} has the configuration of version ${before}`).waitFor();
    const restored = answered(await server.client.getMethod(method.id)).method;
    assert.deepEqual(restored.config, method.config);
    await page.context().close();
  });

  test('versions of a batch are one row, and any two versions are compared', async () => {
    const { method } = answered(await server.client.getMethod('method_us_economy'));
    const before = answered(await server.client.listVersions()).versions[0]?.number ?? 0;
    const batchId = 'summer-prices';
    for (const subtitle of ['Slow', method.subtitle]) {
      answered(await server.client.updateMethod(method.id, { subtitle }, { batchId }));
    }
    const page = await opened('#/history');
    await page.getByText('batch of 2 versions').waitFor();
    await page.getByLabel('Compare version').fill(String(before));
    await page.getByLabel('with', { exact: true }).fill(String(before + 1));
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('insertion').filter({ hasText: 'Slow' }).waitFor();
    await page.getByLabel('Each version of a batch').check();
    await page.getByRole('button', { name: new RegExp(`^Version ${before + 1},`) }).waitFor();
    await page.getByLabel('Compare version').fill('999999');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('alert').waitFor();
    complaints.splice(0);
    await page.context().close();
  });

  test('a changeset is entered, judged by the carts it changes, and promoted; another is discarded', async () => {
    const { method } = answered(await server.client.getMethod('method_us_economy'));
    const page = await opened('#/changeset');
    await page.getByRole('button', { name: 'Enter a changeset' }).click();
    await page.getByText('There is no difference').waitFor();
    answered(await server.client.updateMethod(method.id, { rateType: 'flat', config: { price: 5 } }));
    answered(await server.client.simulate(JSON.parse(demoCart('us-po-box'))));
    const sample = page.getByRole('link', { name: 'Open in the tester' }).first();
    for (let tries = 0; tries < 50 && (await sample.count()) === 0; tries++) {
      await page.getByRole('button', { name: 'Read again' }).click();
      await page.waitForTimeout(100);
    }
    await page.getByRole('insertion').filter({ hasText: '$0.05' }).waitFor();
    await page.getByRole('table', { name: 'By method' }).getByText('Economy').waitFor();
    await assertAccessible(page, 'changeset-active');
    assert.match((await sample.getAttribute('href')) ?? '', /columns=live%2Cstaged/);
    await page.getByRole('button', { name: 'Promote' }).click();
    await page.getByText('The changeset is live').waitFor();
    const { rateType, config } = answered(await server.client.getMethod(method.id)).method;
    assert.deepEqual([rateType, config], ['flat', { price: 5 }]);
    await page.getByRole('button', { name: 'Enter a changeset' }).click();
    await page.getByRole('button', { name: 'Discard…' }).click();
    await page.getByRole('button', { name: 'Discard all changes' }).click();
    await page.getByText('The changeset is discarded').waitFor();
    assert.equal(answered(await server.client.getStaging()).staging, null);
    await page.context().close();
  });

  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [400, 1_400]) {
      test(`every page is accessible in ${scheme} at ${width} pixels, and nothing is wider than the window`, async () => {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
        context.setDefaultTimeout(WAIT_MS);
        watch(context);
        // Before anything else: once a page is signed in, its key stays in the tab.
        const page = await context.newPage();
        await page.goto(`${server.url}/console`);
        await page.getByLabel('API key').waitFor();
        await assertAccessible(page, `sign-in-${scheme}-${width}`);
        await context.addInitScript(SIGN_IN);
        for (const [name, [fragment, shown]] of Object.entries(PLACES)) {
          const tab = await context.newPage();
          await tab.goto(`${server.url}/console${fragment}`);
          await tab.getByText(shown).first().waitFor();
          await tab.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
          await assertAccessible(tab, `${name}-${scheme}-${width}`);
          await tab.close();
        }
        await context.close();
      });
    }
  }

  async function assertAccessible(page: Page, name: string): Promise<void> {
    // By the protocol of the browser: the policy refuses scripts that the page does not bring.
    await page.evaluate(readFileSync(AXE, 'utf8'));
    const found = (await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))",
    )) as string[];
    assert.deepEqual(found, [], name);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, name);
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  }

  test('no page broke the policy, reported an error or called another host', () => {
    assert.deepEqual(complaints, []);
  });
});
