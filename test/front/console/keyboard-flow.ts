/** Groups, zones and blended rates edited by the keyboard alone, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type ConsoleInBrowser, place } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

/** More than any of these pages has elements that take the focus. */
const TABS_MAX = 150;

async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  assert.fail(`${key} does not lead to ${target}`);
}

async function pressed(page: Page, name: string, method: string, key?: 'Tab' | 'Shift+Tab'): Promise<void> {
  await tabTo(page, page.getByRole('button', { name, exact: true }), key);
  const written = page.waitForResponse((response) => response.request().method() === method);
  await page.keyboard.press('Enter');
  assert.ok((await written).ok(), name);
}

export function keyboardFlow(console: ConsoleInBrowser): void {
  console.longTest(
    'groups, zones and blended rates are found, edited and deleted by the keyboard alone',
    async () => {
      const page = await console.opened('#/groups');
      const row = page.locator('[data-row]');
      await row.first().waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('oversized');
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const skusNow = async (): Promise<readonly string[]> =>
        answered(await console.client.getGroup('group_oversized')).group.skus;
      const before = await skusNow();
      const skus = page.getByLabel('SKUs', { exact: true });
      await tabTo(page, skus);
      await page.keyboard.type('KEYBOARD-*');
      await pressed(page, 'Save', 'PUT');
      assert.deepEqual(await skusNow(), [...before, 'KEYBOARD-*']);
      await tabTo(page, skus, 'Shift+Tab');
      await page.keyboard.press('Backspace');
      await pressed(page, 'Save', 'PUT');
      assert.deepEqual(await skusNow(), before);
      await page.keyboard.press('Escape');
      await page.getByRole('region', { name: 'Oversized' }).waitFor({ state: 'detached' });
      assert.equal(await row.first().evaluate((element) => element.matches(':focus')), true);

      await console.move(page, 'zones', '#/zones');
      await tabTo(page, page.getByRole('button', { name: 'New zone' }));
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByLabel('Name', { exact: true }));
      await page.keyboard.type('Far south');
      await tabTo(page, page.getByLabel(/^Countries/));
      await page.keyboard.type('AQ');
      await page.keyboard.press('Enter');
      await pressed(page, 'Create the zone', 'POST');
      await page.getByRole('region', { name: 'Far south' }).waitFor();
      const { zones } = answered(await console.client.listZones());
      assert.deepEqual(zones.find(({ name }) => name === 'Far south')?.countries, ['AQ']);
      await tabTo(page, page.getByRole('button', { name: 'More', exact: true }), 'Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Delete…' }).waitFor();
      await page.locator('[role=menu]:focus-within').waitFor();
      for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
      await pressed(page, 'Delete the zone', 'DELETE');
      assert.equal(answered(await console.client.listZones()).zones.length, zones.length - 1);

      await console.move(page, 'blends', '#/blends');
      await row.nth(1).waitFor();
      for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
      const [first] = answered(await console.client.listBlendedRates()).blendedRates;
      const isOffered = async (): Promise<boolean> =>
        answered(await console.client.getBlendedRate(first?.id ?? '')).blendedRate.enabled;
      for (const [way, enabled] of [
        ['Tab', false],
        ['Shift+Tab', true],
      ] as const) {
        await tabTo(page, page.getByLabel('Active'), way);
        await page.keyboard.press('Space');
        await pressed(page, 'Save', 'PUT');
        assert.equal(await isOffered(), enabled);
      }
      await page.context().close();
    },
  );

  test('a message leaves after a while, not while it is pointed at, and can be closed', async () => {
    const page = await console.opened(place('groups', { open: 'group_oversized' }));
    await page.clock.install();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const message = page.getByRole('status').getByText('There is nothing to save');
    await save.click();
    await message.hover();
    await page.clock.fastForward(60_000);
    assert.equal(await message.isVisible(), true);
    await page.mouse.move(0, 0);
    await page.clock.fastForward(60_000);
    await message.waitFor({ state: 'detached' });
    await save.click();
    await page.getByRole('button', { name: 'Close the message' }).click();
    await message.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('the sentence above Save names the field in words and leads to it', async () => {
    const page = await console.opened(place('groups', { open: 'new' }));
    await page.getByLabel('Name', { exact: true }).fill('Glass');
    await page.getByLabel('Tags').fill(`fragile, ${'x'.repeat(300)}`);
    await page.getByRole('button', { name: 'Create the product group' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Tags: entry 2 must' });
    await alert.waitFor();
    assert.doesNotMatch((await alert.textContent()) ?? '', /\//);
    await page.getByLabel('Name', { exact: true }).focus();
    await alert.getByRole('button', { name: 'Tags' }).click();
    assert.equal(await page.locator('input:focus').getAttribute('data-path'), '/tags');
    console.forgive();
    await page.context().close();
  });
}
