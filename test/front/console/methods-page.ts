/** The page of methods and rules in a real browser: by mouse, by keyboard, beside other editors, and refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import { readDemoShop } from '../../data/demo-files.ts';
import { type ConsoleInBrowser, demoCart, fromMenu, goTo, place } from '../../support/console-in-browser.ts';
import { answered, DEMO_KEY } from '../../support/server-process.ts';

const { length: COUNT } = (readDemoShop() as { readonly config: ConfigData }).config.methods ?? [];
/** How many methods get other prices at once. */
const DEARER = Math.max(COUNT, 40);
const ECONOMY = 'method_us_economy';

const openTab = (page: Page, name: 'Price' | 'Delivery' | 'Rules'): Promise<void> =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();

const methodPlace = (open: string): string => place('methods', { open, cart: demoCart('us-po-box') });

export function methodsTests(console: ConsoleInBrowser): void {
  const read = async (id: string) => answered(await console.client.getMethod(id)).method;

  /** The configuration as it was, whatever the test made of it. */
  async function restored(test: () => Promise<void>): Promise<void> {
    const { versions } = answered(await console.client.listVersions());
    try {
      await test();
    } finally {
      const targetVersionId = versions[0]?.id ?? '';
      answered(await console.client.changeVersion({ action: 'rollback', targetVersionId }));
    }
  }

  test('by mouse a method is found, a price tried and saved, a rule dragged, the method moved, and zero is a price', () =>
    restored(async () => {
      const page = await console.opened(place('methods', { cart: demoCart('us-po-box') }), DEMO_KEY, true);
      await page.getByLabel('Search').fill('us-econ');
      await page.getByText(`1 of ${COUNT} methods`).waitFor();
      const test = await page.getByRole('link', { name: 'Test Economy' }).getAttribute('href');
      const { cart, open } = Object.fromEntries(new URLSearchParams(test?.replace('#/tester?', '')));
      assert.deepEqual([JSON.parse(cart ?? '').destination.country, open], ['US', ECONOMY]);
      await page.getByRole('link', { name: 'Economy', exact: true }).click();
      const form = page.getByRole('form', { name: 'Economy' });
      await form.getByLabel('Tier 2, price').fill('0');
      const row = page
        .getByRole('table', { name: 'Rates of the cart' })
        .getByRole('row', { name: 'Economy' });
      await row.getByText('$0.00').waitFor();
      await row.getByText('$4.95').first().waitFor();
      // Both prices are explained as in the tester, and who changed what.
      const [edited, saved] = ['With the edit', 'As it is saved'].map((name) =>
        page.getByRole('region', { name }),
      ) as [Locator, Locator];
      for (const [shown, price, change] of [
        [edited, '$0.00', 'not saved'],
        [saved, '$4.95', /last changed in version \d/],
      ] as const) {
        const base = shown.getByRole('row', { name: /^Weight table, tier 2/ });
        await base.getByText(price).waitFor();
        await shown.getByText(change).first().waitFor();
        await shown.getByRole('row', { name: 'Total' }).getByText(price).waitFor();
      }
      await page.getByRole('heading', { name: 'Rules with the edit 3' }).waitFor();
      await openTab(page, 'Rules');
      const rules = form.getByRole('listitem');
      const before = (await read(ECONOMY)).rules.map(({ id }) => id);
      await rules.nth(2).locator('.handle').dragTo(rules.nth(0));
      await form.getByRole('button', { name: /^1\. Make free/ }).waitFor();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await fromMenu(page, 'Copy as curl');
      await page.getByText('Copied 2 calls').waitFor();
      const commands = String(await page.evaluate('navigator.clipboard.readText()')).split('\n');
      assert.equal(commands.length, 2);
      const [toMethod = '', toRule = ''] = commands;
      assert.ok(toMethod.startsWith(`curl -sS -X PUT '${console.server.url}/api/methods/${ECONOMY}' `));
      assert.ok(toRule.startsWith(`curl -sS -X PUT '${console.server.url}/api/rules/${before[2]}' `));
      assert.ok(toRule.includes('Bearer $RATEWRIGHT_KEY') && toRule.endsWith(`-d '{"position":0}'`));
      assert.ok(!commands.join().includes(DEMO_KEY));
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved Economy').waitFor();
      const { config, rules: after } = await read(ECONOMY);
      assert.deepEqual('tiers' in config && config.tiers[1], { minWeight: 250, maxWeight: 500, price: 0 });
      assert.deepEqual(
        after.map(({ id }) => id),
        [before[2], before[0], before[1]],
      );
      const { versions } = answered(await console.client.listVersions());
      assert.equal(versions[0]?.batch?.size, 2, 'one save is one batch');
      await form.getByText('All saved').waitFor();
      await fromMenu(page, 'Move down');
      await page.getByText('Moved Economy down').waitFor();
      const { methods } = answered(await console.client.getConfig());
      assert.deepEqual(
        methods.slice(0, 2).map(({ serviceCode }) => serviceCode),
        ['us-standard', 'us-economy'],
      );
      await page.context().close();
    }));

  test('forty methods become 5 % dearer in one version, with its effects shown before; a price is changed in its cell', () =>
    restored(async () => {
      const standard = { zoneId: 'zone_us', productGroupId: 'group_standard' };
      for (let more = COUNT; more < DEARER; more++) {
        const named = { name: `Further ${more}`, ...standard };
        answered(
          await console.client.createMethod({ ...named, rateType: 'flat', config: { price: 10 * more } }),
        );
      }
      const before = answered(await console.client.getConfig());
      assert.ok(before.methods.length >= 40);
      const page = await console.opened('#/methods');
      const cell = page.getByRole('row', { name: /^Select Standard Standard United States/ });
      await cell.getByRole('button', { name: /^Change the price of Standard/ }).click();
      await page.keyboard.type('4,999');
      await page.getByText('can be read in two ways').waitFor();
      await page.getByRole('button', { name: 'Review and save…' }).waitFor({ state: 'detached' });
      await cell.getByRole('button', { name: '$4,999.00' }).click();
      await page.getByLabel('Price of Standard').press('Enter');
      await cell.getByText('$4,999.00').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await cell.getByText('$4,999.00').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Base price' }).click();
      await page
        .getByRole('columnheader', { name: 'Base price' })
        .and(page.locator('[aria-sort=ascending]'))
        .waitFor();
      await page.getByLabel(`Select all ${DEARER} methods`).check();
      await console.assertAccessible(page, 'methods-selected');
      await page.getByRole('button', { name: 'Change by %…' }).click();
      const dialog = page.getByRole('dialog', { name: `Change the prices of ${DEARER} methods` });
      await dialog.getByRole('row', { name: /^Portland courier \$12\.95 \$13\.60/ }).waitFor();
      await dialog.getByText(/carts tried would get other rates/).waitFor();
      const unpriced = before.methods.filter(({ rateType }) => /^(?:free|percentage)$/.test(rateType));
      assert.ok(unpriced.length > 0);
      await dialog.getByText(`Not changed: ${unpriced[0]?.name}`).waitFor();
      // Rates have the names of their methods, not the codes that programs know them by.
      await dialog
        .getByText(/^Standard \$[0-9.]+.* → \$[0-9.]+/)
        .first()
        .waitFor();
      await console.assertAccessible(page, 'methods-bulk');
      await dialog.getByRole('button', { name: 'Save as one version' }).click();
      await page.getByText(/^Saved \d+ changes\. It broke \d+ checks/).waitFor();
      const after = answered(await console.client.getConfig());
      const [now, last] = answered(await console.client.listVersions()).versions;
      assert.deepEqual([now?.id, last?.id], [after.versionId, before.versionId], 'one version');
      const flat = ({ methods }: typeof before) =>
        methods.map(({ rateType, config }) => (rateType === 'flat' ? config.price : null));
      assert.deepEqual(
        flat(after),
        flat(before).map((price) => price && Math.round(price * 1.05)),
      );
      assert.deepEqual(
        after.methods.map(({ rules }) => rules),
        before.methods.map(({ rules }) => rules),
      );
      await page.context().close();
    }));

  test('the check that a save broke is named after a name of any length', () =>
    restored(async () => {
      const page = await console.opened(methodPlace('method_uk_highlands'));
      const form = page.getByRole('form').first();
      await form
        .getByLabel('Name', { exact: true })
        .fill('Insured parcel to the far islands '.repeat(5).trim());
      await form.getByLabel('Price (USD)').fill('30');
      await form.getByRole('button', { name: 'Save' }).click();
      const told = page.getByText(/^It broke 1 check: “The Highlands/);
      await told.waitFor();
      assert.equal(
        await told.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight),
        true,
      );
      await page.context().close();
    }));

  test('a method that a blended rate prefers names it, and is deleted with its preference; the message takes that back', () =>
    restored(async () => {
      const { blendedRates } = answered(await console.client.getConfig());
      const blend = blendedRates.find(({ preferences }) =>
        preferences.some((each) => each.preferredMethodId),
      );
      const id = blend?.preferences.find((each) => each.preferredMethodId)?.preferredMethodId ?? '';
      const page = await console.opened(methodPlace(id));
      await fromMenu(page, 'Delete…');
      const dialog = page.getByRole('dialog', { name: `Delete ${(await read(id)).name}` });
      assert.equal(
        await dialog.getByRole('link', { name: blend?.name ?? '' }).getAttribute('href'),
        `#/blends?open=${blend?.id}`,
      );
      await dialog.getByText(/^Records: 1 changed, \d+ removed/).waitFor();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText(/^Saved \d+ changes/).waitFor();
      assert.equal((await console.client.getMethod(id)).ok, false);
      const left = answered(await console.client.getBlendedRate(blend?.id ?? '')).blendedRate.preferences;
      assert.equal(left.length, (blend?.preferences.length ?? 0) - 1);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Taken back').waitFor();
      assert.equal((await console.client.getMethod(id)).ok, true);
      await page.context().close();
    }));

  console.longTest(
    'by keyboard a method is opened, its rule moved and its name changed, and typing goes on while it is saved',
    () =>
      restored(async () => {
        const page = await console.opened('#/methods');
        await page.getByText(`${COUNT} methods`).waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('us-economy');
        await page.getByText(`1 of ${COUNT} methods`).waitFor();
        await page.keyboard.press('Escape');
        await page.keyboard.press('j');
        await page.keyboard.press('Enter');
        await page.getByRole('tab', { name: /^Rules/ }).press('Enter');
        const rule = page.getByRole('button', { name: /^2\. Hide/ });
        await rule.focus();
        await page.keyboard.press('Alt+ArrowUp');
        await page.getByText('Rule 2 is now 1 of 3').waitFor();
        await page.keyboard.press('Alt+ArrowDown');
        await page.getByText('Rule 1 is now 2 of 3').waitFor();
        await page.keyboard.press('Alt+ArrowDown');
        await page.getByText('Rule 2 is now 3 of 3').waitFor();
        await page.getByRole('tab', { name: 'Price' }).press('Enter');
        await page.getByRole('textbox', { name: 'Name', exact: true }).focus();
        await page.keyboard.press('End');
        await page.keyboard.type(' post');
        await page.route('**/api/methods/*', async (route) => {
          // The answer comes after what is typed meanwhile.
          if (route.request().method() === 'PUT') await page.getByLabel('Description').fill('Slow');
          await route.continue();
        });
        await page.keyboard.press('Enter');
        await page.getByText('Saved Economy post').waitFor();
        await page.getByText('Not saved', { exact: true }).waitFor();
        assert.equal(await page.getByLabel('Description').inputValue(), 'Slow');
        const { name, subtitle, rules } = await read(ECONOMY);
        assert.equal(name, 'Economy post');
        assert.notEqual(subtitle, 'Slow');
        assert.equal(rules[2]?.id, 'rule_us_economy_no_single_valuable');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await page.getByRole('form').waitFor({ state: 'detached' });
        await page.context().close();
      }),
  );

  console.longTest(
    'a new method with pasted tiers and a rule is tried, created, stays open, and is deleted',
    async () => {
      const page = await console.opened(place('methods', { cart: demoCart('us-po-box') }));
      await page.getByRole('button', { name: 'New method' }).click();
      const form = page.getByRole('form');
      await form.getByLabel('Name', { exact: true }).fill('Sea freight');
      await form.getByLabel('Priced by').selectOption('Weight table');
      await form.getByRole('button', { name: 'Paste from a spreadsheet…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Rows of a spreadsheet').fill('Weight (kg)\tPrice\n0\t12.50\n20\tmuch');
      await dialog.getByRole('button', { name: 'Replace the tiers' }).click();
      await dialog.getByText('Row 3: “much” is not a price in USD').waitFor();
      await dialog.getByLabel('Rows of a spreadsheet').fill('Weight (kg)\tPrice\n0\t12.50\n20\t40');
      await dialog.getByRole('button', { name: 'Replace the tiers' }).click();
      await openTab(page, 'Rules');
      await form.getByRole('button', { name: 'Add a rule' }).click();
      await form.getByRole('button', { name: 'Create the method' }).click();
      await page.getByText('Not saved: this field is empty').waitFor();
      await form.getByLabel('Action').selectOption('Hide');
      await form.getByText('it hides the method from every customer').waitFor();
      await form.getByLabel('Action').selectOption('Add');
      await form.getByLabel('Amount (USD)').fill('1.25');
      await form.getByRole('button', { name: 'Add a condition' }).click();
      await form.getByRole('combobox', { name: 'condition 1, looks at' }).fill('weight');
      await page.getByRole('option', { name: 'Cart weight' }).click();
      await form.getByLabel('condition 1, value').fill('0.1 kg');
      const tried = page.getByRole('table', { name: 'Rates of the cart' });
      await tried.getByRole('row', { name: 'Sea freight' }).getByText('$13.75').waitFor();
      const edited = page.getByRole('region', { name: 'With the edit' });
      await edited
        .getByRole('row', { name: /^Add: the cart weighs 100 g or more/ })
        .getByText('+$1.25')
        .waitFor();
      const trial = page.locator('.trial');
      await trial.getByText('the cart has 396 g').waitFor();
      assert.equal(await page.getByRole('region', { name: 'As it is saved' }).count(), 0);
      await form.getByLabel('condition 1, value').fill('2 kg');
      await trial.getByText('It would match after this change').waitFor();
      await edited.getByRole('row', { name: 'Total' }).getByText('$12.50').waitFor();
      await form.getByLabel('condition 1, value').fill('0.1 kg');
      await edited.getByRole('row', { name: 'Total' }).getByText('$13.75').waitFor();
      await console.assertAccessible(page, 'methods-trial');
      await form.getByRole('button', { name: 'Create the method' }).click();
      await page.getByText('Saved Sea freight. Rule: Add $1.25 if the cart weighs 100 g or more').waitFor();
      const id = /open=(method_\w+)/.exec(page.url())?.[1] ?? '';
      const created = await read(id);
      assert.equal(created.serviceCode, 'sea-freight');
      assert.deepEqual(created.config, {
        tiers: [
          { minWeight: 0, maxWeight: 20_000, price: 1_250 },
          { minWeight: 20_000, maxWeight: null, price: 4_000 },
        ],
      });
      const [rule] = created.rules;
      assert.deepEqual([rule?.action, rule?.adjustmentValue], ['adjust_add', 125]);
      assert.deepEqual(rule?.conditions, [
        {
          conditionType: 'cart_weight',
          operator: 'greater_than_or_equal',
          value: '100',
          scope: 'any_product_in_order',
        },
      ]);
      await form.getByText('All saved').waitFor();
      await fromMenu(page, 'Delete…');
      const asked = page.getByRole('dialog', { name: 'Delete Sea freight?' });
      await asked.getByText('The method and its rules').waitFor();
      await asked.getByRole('button', { name: 'Delete the method' }).click();
      await page.getByText('Deleted Sea freight').waitFor();
      assert.equal((await console.client.getMethod(id)).ok, false);
      await page.context().close();
    },
  );

  test('what another editor saved meanwhile is shown, and nothing that was typed is lost', () =>
    restored(async () => {
      const page = await console.opened(methodPlace(ECONOMY));
      const form = page.getByRole('form', { name: 'Economy' });
      await form.getByLabel('Description').fill('By snail');
      await form.getByLabel('Tier 1, price').fill('1.00');
      // Another part of the shop is no conflict; the same method is one.
      answered(
        await console.client.updateMethod('method_us_standard', { rateType: 'flat', config: { price: 7 } }),
      );
      const { config } = await read(ECONOMY);
      assert.ok('tiers' in config);
      const tiers = config.tiers.map((tier) => ({ ...tier, price: 200 })) as never;
      answered(
        await console.client.updateMethod(ECONOMY, {
          name: 'Economy mail',
          rateType: 'by_weight_table',
          config: { tiers },
        }),
      );
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Another editor saved this method meanwhile').waitFor();
      const mail = page.getByRole('form', { name: 'Economy mail' });
      await mail.getByRole('insertion').filter({ hasText: '$2.00' }).first().waitFor();
      await mail.getByText('You both changed price').waitFor();
      assert.equal(await mail.getByLabel('Description').inputValue(), 'By snail');
      assert.equal(await mail.getByLabel('Tier 1, price').inputValue(), '1.00');
      assert.notEqual((await read(ECONOMY)).subtitle, 'By snail');
      await mail.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved Economy mail').waitFor();
      const saved = await read(ECONOMY);
      assert.deepEqual([saved.name, saved.subtitle], ['Economy mail', 'By snail']);
      assert.deepEqual(
        'tiers' in saved.config && saved.config.tiers.map(({ price }) => price),
        [100, 495, 645, 895, 1_295],
      );
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Taken back: Economy mail is as it was before').waitFor();
      const back = await read(ECONOMY);
      assert.deepEqual([back.name, back.subtitle === 'By snail'], ['Economy mail', false]);
      assert.equal('tiers' in back.config && back.config.tiers[0]?.price, 200);
      await page.context().close();
    }));

  test('a refused value stands at its field, an unreadable one stops the save, and both stay as typed', async () => {
    const page = await console.opened(methodPlace(ECONOMY));
    const form = page.getByRole('form', { name: 'Economy' });
    await form.getByLabel('Tier 2, price').fill('four');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved: this field cannot be read').waitFor();
    assert.equal(await form.getByLabel('Tier 2, price').inputValue(), 'four');
    await form.getByLabel('Tier 2, price').fill('4.95');
    // A field in another tab is shown when it stops a save.
    await form.getByLabel('Tier 2, price').fill('4,999');
    await openTab(page, 'Delivery');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('can be read in two ways').waitFor();
    await form.getByRole('button', { name: '$4,999.00' }).click();
    assert.equal(await form.getByLabel('Tier 2, price').inputValue(), '4999.00');
    await form.getByLabel('Tier 2, price').fill('4.95');
    await openTab(page, 'Rules');
    const rule = form.getByRole('button', { name: /^2\. Hide/ });
    await rule.click();
    await form.getByLabel('condition 1, value').fill('much');
    await rule.click();
    await page.getByText('Not closed: this field cannot be read').waitFor();
    assert.equal(await form.getByLabel('condition 1, value').inputValue(), 'much');
    await form.getByLabel('condition 1, value').fill('400');
    await rule.click();
    await openTab(page, 'Price');
    await form.getByLabel('Tier 2, from').fill('100 g');
    await form.getByLabel('Tier 1, to below').fill('300 g');
    await form.getByLabel('Tier 2, from').fill('100 g');
    await form.getByLabel('Name', { exact: true }).fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form
      .getByText(/^must not be empty, and have at most 200 characters/)
      .first()
      .waitFor();
    const name = form.getByLabel('Name', { exact: true });
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    console.forgive();
    // What is corrected is no longer said to be wrong.
    await name.fill('Economy II');
    await form.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
    // Another page, and back: the edit is still there.
    await goTo(page, 'History');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.goBack();
    await page.getByText('This is an edit that you did not save before').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('form', { name: 'Economy' }).getByText('All saved').waitFor();
    console.forgive();
    await page.context().close();
  });

  console.longTest('what is typed right after a field that changes another one stays as typed', async () => {
    const page = await console.opened(methodPlace(ECONOMY));
    await page.getByLabel('Tier 2, from').waitFor();
    // Both keys come before the next frame, as on a machine that is busy.
    const texts = await page.evaluate(`(async () => {
      const labels = [...document.querySelectorAll('label')];
      const field = (name) => labels.find(({ textContent }) => textContent === name).control;
      // As a browser sets it: the property of the element itself is watched by the page.
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      const type = async (name, text) => {
        set.call(field(name), text);
        field(name).dispatchEvent(new InputEvent('input', { bubbles: true }));
        for (let turns = 0; turns < 10; turns++) await null;
      };
      await type('Tier 2, from', '100 g');
      await type('Tier 1, to below', '3');
      return ['Tier 1, to below', 'Tier 2, from'].map((name) => field(name).value);
    })()`);
    assert.deepEqual(texts, ['3', '3000']);
    await page.context().close();
  });

  console.longTest(
    'a full plan refuses a new method, and the method stays as typed until there is room',
    async () => {
      const [page] = await Promise.all([
        console.opened(place('methods', { open: 'new', like: ECONOMY })),
        console.setPlan('starter'),
      ]);
      const form = page.getByRole('form', { name: 'Economy (copy)' });
      await form.getByLabel('Description').fill('Twice as slow');
      await form.getByRole('button', { name: 'Create the method' }).click();
      await form.getByText(/^The plan of the shop is full: .*starter/).waitFor();
      assert.equal(await form.getByLabel('Description').inputValue(), 'Twice as slow');
      console.forgive();
      await console.setPlan('enterprise');
      await form.getByRole('button', { name: 'Create the method' }).click();
      await page.getByText('Saved Economy (copy)').waitFor();
      const id = /open=(method_\w+)/.exec(page.url())?.[1] ?? '';
      const copy = await read(id);
      assert.deepEqual(
        [copy.subtitle, copy.rules.length],
        ['Twice as slow', (await read(ECONOMY)).rules.length],
      );
      answered(await console.client.deleteMethod(id));
      await page.context().close();
    },
  );

  test('a key that is revoked in the middle of an edit asks for another, and the edit is saved with that', () =>
    restored(async () => {
      const { key, secret } = answered(
        await console.client.createKey({ label: 'brief', permission: 'write' }),
      );
      const page = await console.opened(methodPlace(ECONOMY), secret);
      const form = page.getByRole('form', { name: 'Economy' });
      const tried = page.waitForResponse(
        (response) => response.request().method() === 'POST' && /config$/.test(response.url()),
      );
      await form.getByLabel('Description').fill('Slower still');
      await tried;
      answered(await console.client.revokeKey(key.id));
      await form.getByRole('button', { name: 'Save' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.getByLabel('API key').fill(DEMO_KEY);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      console.forgive();
      assert.equal(await form.getByLabel('Description').inputValue(), 'Slower still');
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved Economy').waitFor();
      assert.equal((await read(ECONOMY)).subtitle, 'Slower still');
      await page.context().close();
    }));

  test('while a changeset is active an edit goes to it, and an edit of another editor there is shown as well', async () => {
    answered(await console.client.changeStaging({ action: 'enter' }));
    const page = await console.opened(methodPlace(ECONOMY));
    const form = page.getByRole('form', { name: 'Economy' });
    await form.getByLabel('Description').fill('By snail');
    answered(await console.client.updateMethod(ECONOMY, { enabled: false } as never));
    await form.getByRole('button', { name: 'Save to the draft' }).click();
    await page.getByText('The form now holds theirs and yours').waitFor();
    await form.getByRole('button', { name: 'Save to the draft' }).click();
    await page.getByText('Saved Economy').waitFor();
    const live = answered(await console.client.getMethod(ECONOMY, { query: { view: 'live' } })).method;
    const staged = await read(ECONOMY);
    assert.deepEqual([staged.subtitle, staged.enabled], ['By snail', false]);
    assert.notEqual(live.subtitle, 'By snail');
    // A save of several writes: the tag of the draft changes with each.
    await form.getByLabel('Description').fill('By mule');
    await openTab(page, 'Rules');
    await form.getByRole('listitem').nth(2).locator('.handle').dragTo(form.getByRole('listitem').nth(0));
    await form.getByRole('button', { name: 'Save to the draft' }).click();
    await page.getByText('All saved').waitFor();
    const moved = await read(ECONOMY);
    assert.deepEqual([moved.subtitle, moved.rules[0]?.id], ['By mule', staged.rules[2]?.id]);
    // Another editor ends the changeset: what is saved would be live, and the page says so before it saves.
    answered(await console.client.changeStaging({ action: 'discard' }));
    await openTab(page, 'Price');
    await form.getByLabel('Description').fill('By sea');
    await form.getByRole('button', { name: 'Save to the draft' }).click();
    await page.getByText('Nothing was saved: the draft has ended').waitFor();
    await form.getByRole('button', { name: 'Save', exact: true }).waitFor();
    assert.equal((await read(ECONOMY)).subtitle, live.subtitle);
    await page.context().close();
  });

  console.longTest(
    'a key that may only read is offered no change, and a shop without methods says what to do',
    async () => {
      const { key, secret } = answered(await console.client.createKey({ label: 'eyes', permission: 'read' }));
      const page = await console.opened(methodPlace(ECONOMY), secret);
      await page.getByText('This key may read this method, not change it').waitFor();
      for (const name of ['Save', 'New method', 'More']) {
        assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
      }
      assert.ok(await page.getByLabel('Tier 2, price').isDisabled());
      await page.context().close();
      answered(await console.client.revokeKey(key.id));
      await withConfig(
        async (other) => {
          await other.getByText('No methods yet').waitFor();
          await console.assertAccessible(other, 'methods-empty');
        },
        () => [],
      );
    },
  );

  console.longTest('of two thousand methods a part is shown, and any is found', () =>
    withConfig(
      async (page) => {
        await page.getByText('2000 methods').waitFor();
        assert.ok((await page.getByRole('link', { name: /^Service / }).count()) <= 100);
        await page.getByRole('button', { name: 'Show 100 more of 2000' }).click();
        await page.getByLabel('Search').fill('Service 1777');
        await page.getByRole('link', { name: 'Service 1777', exact: true }).waitFor();
        await page.getByText('1 of 2000 methods').waitFor();
        await page.getByLabel('Search').fill('');
        await console.assertAccessible(page, 'methods-crowded');
      },
      ([first]) =>
        Array.from({ length: 2_000 }, (_, index) => ({
          ...(first as object),
          id: `method_${index}`,
          name: `Service ${index}`,
          serviceCode: `service-${index}`,
        })),
    ),
  );

  /** The page with other methods in the configuration that it reads. */
  async function withConfig(
    look: (page: Page) => Promise<void>,
    change: (methods: readonly unknown[]) => readonly unknown[],
  ): Promise<void> {
    const page = await console.opened('');
    await page.route('**/api/config', async (route) => {
      const response = await route.fetch();
      const config = await response.json();
      await route.fulfill({ response, json: { ...config, methods: change(config.methods) } });
    });
    await goTo(page, 'Methods');
    await look(page);
    await page.context().close();
  }
}
