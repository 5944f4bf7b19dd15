/** A write that is refused or cut off: the page says so, keeps what was typed, and then saves it once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type ConsoleInBrowser, place } from '../support/console-in-browser.ts';
import { answered } from '../support/server-process.ts';

export function refusalTests(console: ConsoleInBrowser): void {
  /** Types a zone of this name and asks for it to be saved. */
  const typeZone = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create the zone' }).click();
  };
  /** Asks again: the zone is there once, and goes. */
  const saveAgain = async (page: Page, name: string): Promise<void> => {
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name);
    console.forgive();
    await page.getByRole('button', { name: 'Create the zone' }).click();
    await page.getByRole('region', { name }).waitFor();
    const { zones } = answered(await console.client.listZones());
    const made = zones.filter((zone) => zone.name === name);
    assert.equal(made.length, 1);
    answered(await console.client.deleteZone(made[0]?.id ?? ''));
    await page.context().close();
  };

  test('a server that ends before its answer arrives and starts again has saved the zone once', async () => {
    const page = await console.opened(place('zones', { open: 'new' }));
    let isKilled = false;
    await page.route('**/api/zones', async (route) => {
      if (isKilled || route.request().method() !== 'POST') return route.continue();
      isKilled = true;
      assert.equal((await route.fetch()).status(), 201);
      await console.kill();
      return route.abort('connectionreset');
    });
    await typeZone(page, 'Saved once');
    await page.getByText(/It may have been saved/).waitFor();
    await console.startAgain();
    const { zones } = answered(await console.client.listZones());
    assert.equal(zones.filter(({ name }) => name === 'Saved once').length, 1);
    await saveAgain(page, 'Saved once');
  });

  test('a busy shop says when to try again, and keeps what was typed', async () => {
    const page = await console.opened(place('zones', { open: 'new' }));
    await page.route('**/api/zones', (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const error = { code: 'RATE_LIMITED', message: 'too many writes wait' };
      return route.fulfill({ status: 429, headers: { 'retry-after': '60' }, json: { error } });
    });
    await typeZone(page, 'In a minute');
    await page.getByText(/^The shop is busy .* Try again in 60 s/).waitFor();
    await page.unroute('**/api/zones');
    await saveAgain(page, 'In a minute');
  });
}
