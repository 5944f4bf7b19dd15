/** The page of checks in a real browser: what fails and why, and expectations of each kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Request } from 'playwright-core';
import { type ConsoleInBrowser, demoCart, fromMenu, place } from '../../support/console-in-browser.ts';
import { held, isCall } from '../../support/held-calls.ts';
import { answered, DEMO_KEY } from '../../support/server-process.ts';

export function checksTests(console: ConsoleInBrowser): void {
  test('a check that fails says why, takes the rates of now, and passes', async () => {
    const check = {
      name: 'Old prices',
      request: JSON.parse(demoCart('us-po-box')),
      expectations: [{ kind: 'rates' as const, rates: [{ serviceCode: 'nothing', totalPrice: 1 }] }],
    };
    answered(await console.client.createOrRunChecks(check));
    const page = await console.opened('#/checks', DEMO_KEY, true);
    await page.getByRole('link', { name: 'Old prices ✕ fails' }).click();
    await page.getByText(/^Offered: Economy \$/).waitFor();
    await page
      .getByText('“Old prices” passes with none of the last')
      .or(page.getByText('“Old prices” has not passed with any version'))
      .waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Run all, as curl' }).click();
    await page.getByText('Copied the call').waitFor();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(command.endsWith(`-d '{"action":"run","view":"live"}'`), command);
    await page.getByRole('button', { name: 'Take the rates that are offered now' }).click();
    await page.getByLabel('Rate 2', { exact: true }).waitFor();
    // What each write did to the checks is known late.
    const isRun = (request: Request): boolean =>
      isCall('POST', '/api/checks')(request) && /"action":"run","version"/.test(request.postData() ?? '');
    const runs = [await held(page, isRun), await held(page, isRun)];
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved Old prices', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Old prices ✓ passes' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const tester = await page.getByRole('menuitem', { name: 'Open in the tester' }).getAttribute('href');
    await page.keyboard.press('Escape');
    assert.equal(tester, place('tester', { cart: JSON.stringify(check.request) }));
    await fromMenu(page, 'Delete…');
    await page.getByRole('button', { name: 'Delete the check' }).click();
    await page.getByText('Deleted Old prices', { exact: true }).waitFor();
    for (const { release } of runs) release();
    await page.getByText(/^Deleted Old prices\. .*checks? /).waitFor();
    assert.equal(await page.getByText('Saved Old prices').count(), 0);
    await page.context().close();
  });

  test('a check that broke names the version, by which key and what it changed, and is mended by undoing it', async () => {
    const highlands = (price: number) =>
      console.client.updateMethod('method_uk_highlands', { config: { price } });
    const before = answered(await console.client.getMethod('method_uk_highlands')).method.config;
    const broke = await highlands(2_995);
    answered(broke);
    const page = await console.opened('#/checks');
    const { versions } = answered(await console.client.listVersions({ query: { limit: 1 } }));
    const [version] = versions;
    await page.getByText(`Version ${version?.number} broke “The Highlands have their own rate”`).waitFor();
    await page.getByText('saved with the key “Demo admin”').waitFor();
    await page.getByText('Price: $26.95 → $29.95').waitFor();
    await page.getByText('Highlands & Islands costs $29.95, instead of $26.95.').waitFor();
    await console.assertAccessible(page, 'broken-check');
    await page.getByText('Failing 1', { exact: true }).click();
    await page
      .getByRole('link', { name: /✓ passes/ })
      .first()
      .waitFor({ state: 'detached' });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await console.assertAccessible(page, `failing-checks-${colorScheme}`);
    }
    const link = page.getByRole('link', { name: `Open version ${version?.number}` });
    assert.equal(await link.getAttribute('href'), place('history', { open: version?.id ?? '' }));
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByRole('dialog').getByText('Price: $29.95 → $26.95').waitFor();
    await page.getByRole('button', { name: 'Go back', exact: true }).click();
    await page.getByText(/^Version \d+ has the configuration of version/).waitFor();
    await page.getByText(/^\d+ passed, 0 failed$/).waitFor();
    assert.deepEqual(answered(await console.client.getMethod('method_uk_highlands')).method.config, before);

    // What a draft breaks is live as it was: nothing is to be undone there.
    answered(await console.client.changeStaging({ action: 'enter' }));
    answered(await highlands(3_995));
    await page.reload();
    await page.getByText('The draft broke “The Highlands have their own rate”').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo…' }).count(), 0);
    await page.getByRole('link', { name: 'Look at the draft' }).click();
    await page.getByText(/^1 of \d+ checks fails/).waitFor();
    answered(await console.client.changeStaging({ action: 'discard' }));
    await page.context().close();
  });

  test('a check has an expectation of each kind, and a refused one says why at its field', async () => {
    const page = await console.opened(place('checks', { open: 'new' }));
    const add = page.getByRole('button', { name: 'Add an expectation' });
    const form = page.getByRole('form', { name: 'New check' });
    await form.getByLabel('Name', { exact: true }).fill('Everything');
    for (const kind of ['rate_between', 'no_rate', 'delivery', 'rate']) {
      await add.click();
      await page
        .getByLabel(/^Expectation/)
        .last()
        .selectOption(kind);
      await page.getByLabel('Rate', { exact: true }).last().selectOption('us-pickup');
    }
    await page.getByLabel('From (USD)').fill('5.00');
    await page.getByLabel('To (USD)').fill('4.00');
    await page.getByLabel('Not before').fill('+2');
    await form.getByLabel('Price (USD)', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Create the check' }).click();
    await page.getByText('must be at least minPrice, 500', { exact: true }).waitFor();
    console.forgive();
    await page.getByLabel('To (USD)').fill('6.00');
    await page.getByRole('button', { name: 'Create the check' }).click();
    await page.getByText('Saved Everything').waitFor();
    const { checks } = answered(await console.client.listChecks());
    const made = checks.find(({ name }) => name === 'Everything');
    assert.deepEqual(made?.expectations, [
      { kind: 'some_rate' },
      { kind: 'rate_between', serviceCode: 'us-pickup', minPrice: 500, maxPrice: 600 },
      { kind: 'no_rate', serviceCode: 'us-pickup' },
      { kind: 'delivery', serviceCode: 'us-pickup', minDate: '+2', maxDate: '+5' },
      { kind: 'rate', serviceCode: 'us-pickup', totalPrice: 0 },
    ]);
    // By the keyboard alone it is turned off.
    await page.getByLabel(/^Active: run on each preview/).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('All saved').waitFor();
    assert.equal(answered(await console.client.getCheck(made?.id ?? '')).check.enabled, false);
    answered(await console.client.deleteCheck(made?.id ?? ''));
    await page.context().close();
  });

  console.longTest('a key that may only read is offered no change', async () => {
    const made = answered(await console.client.createKey({ label: 'reader', permission: 'read' }));
    const page = await console.opened('', null);
    await page.getByLabel('API key').fill(made.secret);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${console.server.url}/console${place('zones', { open: 'zone_us' })}`);
    await page.getByText('This key may read this zone, not change it').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: /^(?:Save|New zone|Delete)/ }).count(), 0);
    await page.goto(
      `${console.server.url}/console${place('methods', { open: 'method_us_standard', tab: 'rules' })}`,
    );
    await page.getByText('Applies when all of these hold').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /^(?:Save|Add|Remove|Move|New)/ }).count(), 0);
    await page.goto(`${console.server.url}/console#/checks`);
    await page.getByText(/passed, [0-9]+ failed/).waitFor();
    answered(await console.client.revokeKey(made.key.id));
    await page.context().close();
  });
}
