/** The rate tester in a real browser: from the key to a price, its reason, its history and a check. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountIn, leastOf } from '../../../src/front/console/tester/curve.ts';
import { type ConsoleInBrowser, demoCart, place } from '../../support/console-in-browser.ts';
import { answered, DEMO_KEY } from '../../support/server-process.ts';

export function testerTests(console: ConsoleInBrowser): void {
  test('a key leads to the rate tester with a cart of the shop, and is not part of the link', async () => {
    const page = await console.opened('#/tester', null);
    await page.getByLabel('API key').fill('rw_of_nobody ключ');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key is not known').waitFor();
    console.forgive();
    // Copied together with spaces that are not seen.
    await page.getByLabel('API key').fill(`\u200b${DEMO_KEY}\u00a0`);
    await page.keyboard.press('Enter');
    await page.getByText(/^Offered/).waitFor();
    assert.ok(!page.url().includes(DEMO_KEY));
    assert.match(page.url(), /#\/tester\?cart=/);
    await page.context().close();
  });

  test('a pasted cart is priced as the API prices it, and a reason is found by mouse', async () => {
    const cart = demoCart('us-po-box');
    const { rates } = answered(await console.client.simulate(JSON.parse(cart)));
    const page = await console.opened('#/tester');
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
    await detail.getByText(/^Hidden because /).waitFor();
    assert.match((await detail.textContent()) ?? '', /the cart has “po box 1174”/);
    assert.match((await detail.textContent()) ?? '', /\$14\.95/);
    await page.context().close();
  });

  console.longTest('a shop that is busy is asked again until it answers', async () => {
    const page = await console.opened('#/tester');
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
    console.forgive();
    await page.context().close();
  });

  test('a blended rate is one rate, with its parts folded below it', async () => {
    const cart = demoCart('us-two-groups');
    const { rates, blendedRates } = answered(await console.client.simulate(JSON.parse(cart)));
    const [blended] = blendedRates.filter(({ visible }) => visible);
    assert.ok(blended !== undefined && rates.length < blended.components.length + rates.length);
    const page = await console.opened(place('tester', { cart }));
    const offered = page.getByRole('table', { name: `Offered ${rates.length}`, exact: true });
    const row = offered.getByRole('row', { name: blended.name });
    const part = row.getByRole('listitem').first();
    await row.getByText(`$${((blended.rate?.totalPrice ?? 0) / 100).toFixed(2)}`).waitFor();
    assert.equal(await part.isVisible(), false);
    await row.getByText(`${blended.components.length} parts`).click();
    await part.getByText(`$${((blended.components[0]?.price ?? 0) / 100).toFixed(2)}`).waitFor();
    await page.context().close();
  });

  test('a cart without a rate leads to what is lacking, and a proposed change of the cart shows a method', async () => {
    const salmon = { name: 'Smoked salmon', sku: 'SMOKE-1', quantity: 1, grams: 400, price: 2_400 };
    const cart = JSON.stringify({ destination: { country: 'CH' }, items: [salmon] });
    const page = await console.opened(place('tester', { cart }));
    await page.getByText('Rest of the world has no method for Chilled and frozen.').waitFor();
    const make = page.getByRole('link', { name: 'Make a method for Chilled and frozen' });
    const asked = place('methods', { open: 'new', zone: 'zone_world', group: 'group_chilled' });
    assert.equal(await make.getAttribute('href'), asked);
    await make.click();
    const groupField = page.getByLabel('Product group', { exact: true });
    assert.equal(await groupField.inputValue(), 'group_chilled');
    const { methodEvaluations } = answered(
      await console.client.simulate(JSON.parse(demoCart('us-single-item')), { query: { explain: 'full' } }),
    );
    const hidden = methodEvaluations.find(({ visible, whyNot }) => !visible && whyNot);
    assert.ok(hidden !== undefined, 'the cart has a method that one change would show');
    await console.move(page, 'tester', place('tester', { cart: demoCart('us-single-item') }));
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

  console.longTest(
    'the keyboard alone moves through the rates, opens one, leaves it, and changes the cart',
    async () => {
      const page = await console.opened(place('tester', { cart: demoCart('us-po-box') }));
      await page.getByText(/^Offered/).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Standard' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('region', { name: 'Standard' }).waitFor({ state: 'detached' });
      // Where nothing is open, Escape adds no step to the history of the window.
      const steps = await page.evaluate('history.length');
      await page.keyboard.press('Escape');
      assert.equal(await page.evaluate('history.length'), steps);
      await page.getByLabel('Quantity').first().focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('40');
      const cart = JSON.parse(demoCart('us-po-box'));
      cart.items[0].quantity = 40;
      const [rate] = answered(await console.client.simulate(cart)).rates;
      assert.ok(rate !== undefined);
      await page
        .getByRole('row', { name: rate.serviceName })
        .getByText(`$${(rate.totalPrice / 100).toFixed(2)}`)
        .waitFor();
      await page.context().close();
    },
  );

  console.longTest(
    'a price is compared with that of a version, and the link shows the same to another reader',
    async () => {
      const cart = demoCart('us-po-box');
      const method = answered(await console.client.getMethod('method_us_economy')).method;
      const before = answered(await console.client.listVersions()).versions[0]?.number;
      answered(await console.client.updateMethod(method.id, { rateType: 'flat', config: { price: 1 } }));
      const page = await console.opened(place('tester', { cart }));
      await page.getByText(/^Offered/).waitFor();
      await page.getByLabel('Compare with version').fill(String(before));
      await page.keyboard.press('Enter');
      await page
        .getByRole('columnheader', { name: `Version ${before}` })
        .first()
        .waitFor();
      await page.getByText('differs').first().waitFor();
      const row = page.getByRole('row', { name: /^Economy/ });
      await row.getByText('$0.01').waitFor();
      await row.getByText('$4.95').waitFor();
      const link = page.url();
      const other = await console.opened(link.slice(link.indexOf('#')));
      await other.getByText('differs').first().waitFor();
      const { rateType, config } = method;
      answered(await console.client.updateMethod(method.id, { rateType, config } as never));
      await Promise.all([page.context().close(), other.context().close()]);
    },
  );

  console.longTest(
    'the version that changed a price is found by its cart, with the difference it made',
    async () => {
      const { method } = answered(await console.client.getMethod('method_us_economy'));
      const { rateType, config } = method;
      answered(await console.client.updateMethod(method.id, { rateType: 'flat', config: { price: 2 } }));
      const wrong = answered(await console.client.listVersions()).versions[0]?.number ?? 0;
      answered(await console.client.updateMethod(method.id, { rateType, config } as never));
      const page = await console.opened(place('tester', { cart: demoCart('us-po-box'), open: method.id }));
      await page.getByRole('button', { name: 'When did this change?' }).click();
      const detail = page.getByRole('region', { name: 'Economy' });
      const change = detail.getByRole('listitem').filter({ hasText: new RegExp(`Version ${wrong},`) });
      await change.getByRole('insertion').filter({ hasText: '$0.02' }).first().waitFor();
      await change.getByText(`What version ${wrong} changed`).click();
      await change.getByText('Priced by').waitFor();
      await change.getByRole('button', { name: /^Compare the versions/ }).click();
      await page
        .getByRole('columnheader', { name: `Version ${wrong}` })
        .first()
        .waitFor();
      await page.context().close();
    },
  );

  console.longTest(
    'a step of the price curve opens its cart, by keyboard from the table and by mouse from the chart',
    async () => {
      const cart = JSON.parse(demoCart('us-po-box'));
      const from = leastOf(cart, 'cart_total');
      const query = { request: cart, vary: 'cart_total', from, to: 30_000 } as const;
      const { segments } = answered(await console.client.sweep(query));
      const [, second, third] = segments;
      assert.ok(second !== undefined && third !== undefined, 'the total of the cart changes its rates');
      const page = await console.opened(
        place('tester', { cart: JSON.stringify(cart), curve: 'cart_total', upto: '30000' }),
      );
      const curve = page.getByRole('region', { name: 'Price curve' });
      await curve.getByText('Each step with its rates').click();
      const rows = curve.getByRole('rowheader');
      await rows.nth(segments.length - 1).waitFor();
      assert.equal(await rows.count(), segments.length);
      const totalIn = (url: string): number =>
        amountIn(
          JSON.parse(new URLSearchParams(url.slice(url.indexOf('?'))).get('cart') ?? ''),
          'cart_total',
        );
      await rows.nth(1).getByRole('link').focus();
      await page.keyboard.press('Enter');
      await curve.getByText(`this cart has $${(second.from / 100).toFixed(2)}`).waitFor();
      assert.equal(totalIn(page.url()), second.from);
      await curve.locator('svg a').nth(2).click();
      await curve.getByText(`this cart has $${(third.from / 100).toFixed(2)}`).waitFor();
      const offered = page.getByRole('table', { name: /^Offered/ });
      for (const { serviceName } of third.rates) await offered.getByText(serviceName).waitFor();
      await curve.locator('svg a').nth(1).hover();
      await curve
        .locator('.tip')
        .getByText(third.rates[0]?.serviceName ?? '')
        .waitFor();
      await curve.getByText('Quantity', { exact: true }).click();
      await curve.getByRole('columnheader', { name: 'Quantity' }).waitFor();
      await page.context().close();
    },
  );

  console.longTest('customer, order total and size are typed into the cart that is asked about', async () => {
    const page = await console.opened(place('tester', { cart: demoCart('us-po-box') }));
    await page.getByText(/^Offered/).waitFor();
    await page.getByText('Customer and order total').click();
    await page.getByLabel('Customer tags').fill('club, trade');
    await page.getByLabel('Customer id').fill('42');
    await page.getByLabel('Order total after discounts').fill('19.50');
    await page.getByText('Tags, SKU, size…').first().click();
    await page.getByLabel('Length').first().fill('300 mm');
    const asked = page.waitForRequest(
      (sent) => sent.url().includes('/api/simulate') && (sent.postData() ?? '').includes('"width":200'),
    );
    await page.getByLabel('Width').first().fill('200 mm');
    const cart = JSON.parse((await asked).postData() ?? '');
    assert.deepEqual(cart.customer, { tags: 'club, trade', id: '42' });
    assert.deepEqual(cart.orderTotals, { totalPrice: 1_950 });
    assert.equal(cart.items[0].length, 300);
    await page.context().close();
  });

  console.longTest('a field that the service refuses says why, and keeps what was typed', async () => {
    const page = await console.opened(place('tester', { cart: demoCart('us-po-box') }));
    await page.getByText(/^Offered/).waitFor();
    await page.getByLabel('Quantity').first().fill('0');
    await page.getByText(/^must be a whole number from 1/).waitFor();
    assert.equal(await page.getByLabel('Quantity').first().getAttribute('aria-invalid'), 'true');
    assert.equal(await page.getByLabel('Quantity').first().inputValue(), '0');
    await page.getByText(/^The cart is refused, at the field that says why/).waitFor();
    await page.getByLabel('Quantity').first().fill('-1');
    await page.getByText(/^A field of the cart cannot be read yet/).waitFor();
    await page.getByRole('button', { name: 'Save as check…' }).click();
    await page.getByText('Not saved: there is no answer for the cart as it is now').waitFor();
    console.forgive();
    await page.context().close();
  });

  test('a check is saved from the tester and holds', async () => {
    const page = await console.opened(place('tester', { cart: demoCart('us-po-box') }));
    await page.getByText(/^Offered/).waitFor();
    await page.getByRole('button', { name: 'Save as check…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('PO box in Montana');
    await page.getByRole('button', { name: 'Save the check' }).click();
    await page.getByText('Saved the check PO box in Montana').waitFor();
    const { checks } = answered(await console.client.listChecks());
    const saved = checks.find(({ name }) => name === 'PO box in Montana');
    assert.ok(saved !== undefined);
    assert.deepEqual(saved.request, JSON.parse(demoCart('us-po-box')));
    const run = answered(await console.client.createOrRunChecks({ action: 'run', ids: [saved.id] }));
    assert.ok('passed' in run && run.passed === 1);
    await page.context().close();
  });
}
