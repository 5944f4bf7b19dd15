/** What stands around every page in a real browser: search, keys, the menu of the reader, signing in, chips and numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { type ConsoleInBrowser, fromUserMenu, goTo, place } from '../../support/console-in-browser.ts';
import { DEMO_KEY } from '../../support/server-process.ts';

export function frameTests(console: ConsoleInBrowser): void {
  test('search finds pages, methods and versions, and ? lists the keys', async () => {
    const page = await console.opened('#/zones');
    await page.locator('[data-row]').first().waitFor();
    // Enter waits for what is read when the box opens.
    const entered = async (route: Route): Promise<void> => {
      await page.getByText('Reading what the shop has…').waitFor();
      await page.keyboard.press('Enter');
      await route.continue();
    };
    await page.route('**/api/config', entered, { times: 1 });
    await page.getByLabel('Search zones').focus();
    await page.keyboard.press('Control+k');
    await page.getByLabel('What to find').fill('Tracked letter');
    await page.getByRole('form', { name: 'Tracked letter' }).waitFor();
    const find = async (text: string, found: RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      // What is found is read when the box opens.
      await page.waitForLoadState('networkidle');
      await page.getByLabel('What to find').fill(text);
      await page.getByRole('dialog').getByText(found).first().waitFor();
      await page.keyboard.press('Enter');
    };
    await find('Tracked letter', /^United States$/);
    await page.getByRole('form', { name: 'Tracked letter' }).waitFor();
    await find('Version 1', /^Version 1$/);
    await page.getByRole('region', { name: 'Version 1' }).waitFor();
    // A country leads to the zone that has it.
    await find('Guam', /^United States$/);
    await page.waitForURL(/#\/zones\?open=/);
    await page.keyboard.press('Control+k');
    await console.assertAccessible(page, 'search');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await console.assertAccessible(page, 'keys');
    await page.context().close();
  });

  test('a key is kept for every tab until sign-out; theme and developer view are kept longer', async () => {
    const page = await console.opened('#/groups', null);
    await page.getByRole('heading', { name: 'What is a key?' }).waitFor();
    await page.getByLabel('API key').fill(DEMO_KEY);
    await page.keyboard.press('Enter');
    await page.locator('[data-row]').first().waitFor();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    const other = await page.context().newPage();
    await other.goto(`${console.server.url}/`);
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.ok(other.url().startsWith(`${console.server.url}/console`));
    await fromUserMenu(other, 'Dark theme');
    await other.keyboard.press('Escape');
    assert.equal(await other.evaluate('document.documentElement.dataset.mantineColorScheme'), 'dark');
    assert.equal(await other.getByRole('button', { name: 'Copy as curl' }).count(), 0);
    await fromUserMenu(other, 'Developer view');
    await other.getByRole('button', { name: 'Copy as curl' }).first().waitFor();
    await fromUserMenu(other, 'Sign out');
    for (const tab of [page, other]) await tab.getByLabel('API key').waitFor();
    assert.deepEqual(await page.evaluate('Object.keys(localStorage).sort()'), [
      'mantine-color-scheme-value',
      'ratewright-developer',
    ]);
    await page.context().close();
  });

  test('a number that can be read in two ways is not saved before the reader has said which', async () => {
    const page = await console.opened(place('methods', { open: 'method_us_standard' }));
    const price = page.getByRole('form', { name: 'Standard' }).getByLabel('Price (USD)', { exact: true });
    await price.fill('4,999');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not saved: this field cannot be read').waitFor();
    await page.getByText('4.999 has three decimals').waitFor();
    // The trial has no figures of what stood there before.
    await page.getByText('a field cannot be read yet').waitFor();
    await page.getByRole('button', { name: '$4,999.00' }).click();
    assert.equal(await price.inputValue(), '4999.00');
    // What is stored stands below the field while it is typed, and in it once it is left.
    await price.fill('12,5');
    await page.getByText('= $12.50').waitFor();
    await price.blur();
    assert.equal(await price.inputValue(), '12.50');
    // It is not lost on another page, nor by signing out without a question.
    await goTo(page, 'Zones');
    await page.getByRole('link', { name: '1 unsaved edit' }).click();
    await page.getByText('This is an edit that you did not save before').waitFor();
    assert.equal(await page.getByRole('link', { name: '1 unsaved edit' }).count(), 0);
    await fromUserMenu(page, 'Sign out');
    await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.context().close();
  });

  test('a field that has the focus is never below the row that saves', async () => {
    const page = await console.opened(place('methods', { open: 'method_us_economy' }));
    await page.getByText('All saved').waitFor();
    await page.getByRole('tab', { name: /^Rules/ }).click();
    await page.getByRole('button', { name: /^2\. Hide/ }).click();
    for (const [tab, width, height] of [
      ['Rules', 1_400, 900],
      ['Rules', 1_024, 600],
      ['Rules', 400, 700],
      ['Price', 400, 700],
      ['Price', 1_400, 900],
    ] as const) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      await page.setViewportSize({ width, height });
      const covered = await page.evaluate(
        `[...document.querySelectorAll('form :is(input, select, textarea, button)')]
          .filter((field) => field.checkVisibility() && field.closest('.save-bar') === null && !field.disabled)
          .filter((field) => {
            field.focus();
            const { left, top, width, height } = field.getBoundingClientRect();
            const shown = document.elementFromPoint(left + width / 2, top + height / 2);
            return !(field.contains(shown) || shown?.contains(field) || field.labels?.[0]?.parentElement?.contains(shown));
          })
          .map((field) => field.outerHTML.slice(0, 120))`,
      );
      assert.deepEqual(covered, [], `${width} x ${height}`);
    }
    await page.setViewportSize({ width: 400, height: 700 });
    await page.locator('[data-path="/config/tiers/0/price"]').fill('1234.50');
    const cut = `[...document.querySelectorAll('.tiers input')].filter((each) => each.scrollWidth > each.clientWidth)
      .map(({ value }) => value)`;
    assert.deepEqual(await page.evaluate(cut), []);
    await page.context().close();
  });
}
