/** Accessibility of what a reader opens: dialogs, editors of new records, folded parts, previews, and a conflict. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Schemas } from '../../../src/front/client/call-table.ts';
import { type ConsoleInBrowser, demoCart, fromMenu, goTo, place } from '../../support/console-in-browser.ts';
import { answered, DEMO_KEY } from '../../support/server-process.ts';

const CART = demoCart('us-po-box');
const ECONOMY = 'method_us_economy';

interface Part {
  readonly page: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Opens the part; it is in the dialog where that opens one. */
  readonly open?: (page: Page) => Promise<unknown>;
  readonly isDialog?: true;
  /** Where Escape does not close it. */
  readonly leave?: (page: Page) => Promise<void>;
}

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click();

/** Opens everything that is folded, and what is folded in that. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator('main details:not([open]) > summary');
  while ((await folded.count()) > 0) await folded.first().click();
}

const PARTS: Readonly<Record<string, Part>> = {
  'cart pasted': {
    page: 'tester',
    parameters: { cart: CART },
    open: (page) => press(page, 'Paste or pick…'),
    isDialog: true,
  },
  'check saved': {
    page: 'tester',
    parameters: { cart: CART },
    open: async (page) => {
      await page.getByText(/^Offered/).waitFor();
      await press(page, 'Save as check…');
    },
    isDialog: true,
  },
  'rate tester unfolded': {
    page: 'tester',
    parameters: { cart: CART, open: 'method_us_expedited' },
    open: async (page) => {
      await page.getByText('Not considered').first().waitFor();
      await unfold(page);
    },
  },
  'overview unfolded': {
    page: 'overview',
    open: async (page) => {
      await page.getByText('Not used for').waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await unfold(page);
    },
  },
  'new method with a rule': {
    page: 'methods',
    parameters: { open: 'new' },
    open: async (page) => {
      await page.getByLabel('Priced by').selectOption('Weight table');
      await page.getByRole('tab', { name: 'Delivery' }).click();
      await page.getByLabel('Tell customers when it arrives').check();
      await page.getByRole('tab', { name: /^Rules/ }).click();
      await press(page, 'Add a rule');
      await page.getByLabel('Action').selectOption('Add');
      await press(page, 'Add a condition');
    },
  },
  'tiers pasted': {
    page: 'methods',
    parameters: { open: ECONOMY },
    open: (page) => press(page, 'Paste from a spreadsheet…'),
    isDialog: true,
  },
  'method deleted': {
    page: 'methods',
    parameters: { open: ECONOMY },
    open: (page) => fromMenu(page, 'Delete…'),
    isDialog: true,
  },
  'rules of each kind': {
    page: 'methods',
    parameters: { open: 'method_us_standard', cart: CART, tab: 'rules' },
    open: async (page) => {
      const closed = page.locator('.rule-name[aria-expanded=false]');
      await closed.first().waitFor();
      while ((await closed.count()) > 0) await closed.first().click();
      await unfold(page);
    },
  },
  'new zone with a subzone': {
    page: 'zones',
    parameters: { open: 'new' },
    open: async (page) => {
      await page.getByLabel('Countries').fill('austria, Atlantis');
      await press(page, 'Add a subzone');
      await page.getByLabel('Postal codes').fill('6000-6699 6*1');
    },
  },
  'new product group': { page: 'groups', parameters: { open: 'new' } },
  'new blended rate': { page: 'blends', parameters: { open: 'new' } },
  'new check with each expectation': {
    page: 'checks',
    parameters: { open: 'new' },
    open: async (page) => {
      for (const kind of ['rates', 'rate', 'rate_between', 'no_rate', 'delivery']) {
        await press(page, 'Add an expectation');
        await page
          .getByLabel(/^Expectation/)
          .last()
          .selectOption(kind);
      }
      await unfold(page);
    },
  },
  'key created': {
    page: 'settings',
    open: async (page) => {
      await page.getByLabel('Label of a new key').fill('Looked at');
      await press(page, 'Create the key');
    },
    isDialog: true,
    leave: (page) => press(page, 'Done, I stored it'),
  },
  'key revoked': {
    page: 'settings',
    open: (page) => press(page, 'Revoke Looked at…'),
    isDialog: true,
  },
  'version opened': {
    page: 'history',
    open: async (page) => {
      await press(page, /^Version 2\b/);
      await page.getByRole('heading', { name: /^Added/ }).waitFor();
    },
  },
  'version rolled back to': {
    page: 'history',
    open: async (page) => {
      await press(page, /^Version 2\b/);
      await press(page, 'Go back to version 2…');
      await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).waitFor();
    },
    isDialog: true,
  },
};

/** The first parameter of the history that shows version 2 among the first ones. */
const FIRST_VERSIONS = { before: '3' };

export function openedPartsTests(console: ConsoleInBrowser): void {
  let window: Promise<Page> | undefined;
  const opened = async (name: string, fragment: string): Promise<Page> => {
    window ??= console.opened('');
    const page = await window;
    await page.setViewportSize({ width: 1_400, height: 900 });
    await console.move(page, name, fragment);
    return page;
  };

  for (const [name, { page: on, parameters, open, isDialog, leave }] of Object.entries(PARTS)) {
    test(`accessible once it is opened: ${name}`, async () => {
      const page = await opened(on, place(on, parameters ?? (on === 'history' ? FIRST_VERSIONS : {})));
      await open?.(page);
      const part = isDialog ? '[role=dialog]' : 'main';
      await page.locator(part).first().waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await console.assertAccessibleInAll(page, name.replaceAll(' ', '-'), part);
      if (leave !== undefined) await leave(page);
      else if (isDialog) await page.keyboard.press('Escape');
      await page.locator('[role=dialog]').waitFor({ state: 'detached' });
    });
  }

  test('accessible once it is opened: the preview of a file, with a row that is refused', async () => {
    const config = answered(await console.client.getConfig()) as Schemas['ConfigSnapshot'];
    const page = await opened('import', '#/import');
    const choose = (methods: readonly object[]): Promise<void> =>
      page.getByLabel('Configuration (JSON, as exported)').setInputFiles({
        ...{ name: 'autumn.json', mimeType: 'application/json' },
        buffer: Buffer.from(JSON.stringify({ ...config, methods })),
      });
    await choose(config.methods.map((method, at) => (at === 0 ? { ...method, name: '' } : method)));
    await page.getByText('Correct it').click();
    await console.assertAccessibleInAll(page, 'import-refused', 'main');
    await choose(config.methods.map((method) => ({ ...method, name: `${method.name} by sea` })));
    await page.getByRole('button', { name: /^Replace/ }).waitFor();
    await unfold(page);
    await console.assertAccessibleInAll(page, 'import-preview', 'main');
    console.forgive();
  });

  test('accessible once it is opened: what another editor saved meanwhile', async () => {
    const { zone } = answered(await console.client.createZone({ name: 'Shared', countries: ['AD'] }));
    const page = await opened('zones', place('zones', { open: zone.id }));
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    answered(await console.client.updateZone(zone.id, { name: 'Theirs' }));
    await press(page, 'Save');
    await page.getByText('You both changed name').waitFor();
    await console.assertAccessibleInAll(page, 'zones-conflict', 'main');
    await press(page, 'Discard changes');
    answered(await console.client.deleteZone(zone.id));
  });

  test('accessible once it is opened: a draft that is about to be discarded', async () => {
    answered(await console.client.changeStaging({ action: 'enter' }));
    answered(await console.client.updateMethod(ECONOMY, { rateType: 'flat', config: { price: 5 } }));
    const page = await opened('changeset', '#/changeset');
    await fromMenu(page, 'Discard the draft…');
    await page.getByRole('dialog', { name: 'Discard this draft?' }).waitFor();
    await console.assertAccessibleInAll(page, 'changeset-discarded', '[role=dialog]');
    answered(await console.client.changeStaging({ action: 'discard' }));
  });

  test('accessible once it is opened: the request for another key', async () => {
    const { keys } = answered(await console.client.listKeys());
    const { key, secret } = answered(await console.client.createKey({ label: 'brief', permission: 'read' }));
    const page = await console.opened('#/zones', secret);
    await page.locator('[data-row]').first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    for (const { id, label } of [key, ...keys.filter(({ label: each }) => each === 'Looked at')]) {
      assert.ok(label !== 'Demo admin');
      answered(await console.client.revokeKey(id));
    }
    await goTo(page, 'History');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await console.assertAccessibleInAll(page, 'sign-in-again', '[role=dialog]');
    // What was refused is read again with the other key.
    await page.getByLabel('API key').fill(DEMO_KEY);
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /^Version \d/ })
      .first()
      .waitFor();
    console.forgive();
    await page.context().close();
  });
}
