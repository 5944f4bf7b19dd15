/** Calls that are refused, cut off or not understood: the page says so, keeps what was typed, and saves it once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type ConsoleInBrowser, fromUserMenu, goTo, place } from '../../support/console-in-browser.ts';
import { held, isCall } from '../../support/held-calls.ts';
import { answered, DEMO_KEY } from '../../support/server-process.ts';

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

  test('a change that was saved although its answer was lost is found when it is saved again', async () => {
    const { zone } = answered(
      await console.client.createZone({ name: 'Before', countries: [], subzones: [] }),
    );
    const page = await console.opened(place('zones', { open: zone.id }));
    await page.getByLabel('Name', { exact: true }).fill('After');
    await page.route(`**/api/zones/${zone.id}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    const failed = page.getByText(/It may have been saved/);
    await failed.waitFor();
    await page.unroute(`**/api/zones/${zone.id}`);
    await save.click();
    await page.getByRole('link', { name: /^After/ }).waitFor();
    await page.getByText('Saved After').waitFor();
    assert.equal(await failed.count(), 0);
    console.forgive();
    answered(await console.client.deleteZone(zone.id));
    await page.context().close();
  });

  test('a shop that takes changes in a draft only says so, and leads to one with what was typed', async () => {
    answered(await console.client.updateShop({ directWrites: false }));
    const page = await console.opened('#/overview');
    await page.getByText('The shop takes changes in a draft only.').waitFor();
    await page.goto(`${console.server.url}/console${place('zones', { open: 'new' })}`);
    await typeZone(page, 'Drafted');
    await page.getByText('This shop takes changes in a draft only').waitFor();
    console.forgive();
    await page.getByRole('alert').getByRole('link', { name: 'Open a draft' }).click();
    await page.getByText('No draft is open: this shop takes changes in one only').waitFor();
    await page.getByRole('button', { name: 'Open a draft' }).click();
    await page.getByText('A draft is open').first().waitFor();
    // There is nothing to publish yet.
    await page.getByText('There is no difference.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Publish…' }).count(), 0);
    await page.getByRole('link', { name: '1 unsaved edit' }).click();
    await typeZone(page, 'Drafted');
    await page.getByText('Saved Drafted').waitFor();
    answered(await console.client.changeStaging({ action: 'discard' }));
    answered(await console.client.updateShop({ directWrites: true }));
    await page.context().close();
  });

  test('a rule names no country that there is not, and says what a star in a text is', async () => {
    const page = await console.opened(place('methods', { open: 'new' }));
    const form = page.getByRole('form', { name: 'New method' });
    await page.getByRole('tab', { name: /^Rules/ }).click();
    await form.getByRole('button', { name: 'Add a rule' }).click();
    await form.getByRole('button', { name: 'Add a condition' }).click();
    const value = form.getByLabel('condition 1, value');
    const look = async (type: string, typed: string): Promise<void> => {
      await form.getByRole('combobox', { name: 'condition 1, looks at' }).click();
      await page.getByRole('option', { name: type, exact: true }).click();
      await form.getByLabel('condition 1, compares').selectOption('equals');
      await value.fill(typed);
      await value.press('Enter');
    };
    await look('Postal code', '25*');
    await form.getByRole('button', { name: 'Remove 25*' }).waitFor();
    assert.equal(await form.getByText('The * is compared as it stands').count(), 0);
    await look('SKU', 'AB-*');
    await form.getByText('The * is compared as it stands').waitFor();
    await form.getByRole('button', { name: 'Remove AB-*' }).click();
    await look('Country', 'Switzerland');
    await form.getByRole('button', { name: 'Remove Switzerland' }).waitFor();
    await value.fill('Atlantis');
    await value.press('Enter');
    await form.getByText('No country is called “Atlantis”').waitFor();
    assert.equal(await value.inputValue(), 'Atlantis');
    await form.getByRole('button', { name: 'Discard changes' }).click();
    await page.context().close();
  });

  test('what is typed while a save runs is saved by a press of Save that comes meanwhile', async () => {
    const { zone } = answered(await console.client.createZone({ name: 'One', countries: [], subzones: [] }));
    const page = await console.opened(place('zones', { open: zone.id }));
    const write = await held(page, isCall('PUT', `/api/zones/${zone.id}`));
    const save = page.getByRole('button', { name: 'Save', exact: true });
    for (const name of ['Two', 'Three']) {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await save.click();
      await write.made;
    }
    write.release();
    await page.getByText('Saved Three').waitFor();
    await page.getByText('All saved').waitFor();
    assert.equal(answered(await console.client.getZone(zone.id)).zone.name, 'Three');
    answered(await console.client.deleteZone(zone.id));
    await page.context().close();
  });

  test('a page whose first reading fails says so, and is shown once the service answers', async () => {
    const page = await console.opened(null);
    await page.route('**/api/zones*', (route) => route.abort('connectionrefused'));
    await page.goto(`${console.server.url}/console#/tester`);
    await page.getByText(/^The service did not answer/).waitFor();
    await page.unroute('**/api/zones*');
    await page.getByText(/^Offered/).waitFor();
    console.forgive();
    await page.context().close();
  });

  test('a key of the tab that cannot be checked stays in its field, and the reason is said', async () => {
    const page = await console.opened(null);
    await page.route('**/api/keys/current', (route) => route.abort('connectionrefused'));
    await page.goto(`${console.server.url}/console#/groups`);
    await page.getByText(/^The service did not answer/).waitFor();
    await page.unroute('**/api/keys/current');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-row]').first().waitFor();
    await fromUserMenu(page, 'Sign out');
    await page.getByLabel('API key').waitFor();
    assert.equal(await page.getByText(/^The service did not answer/).count(), 0);
    console.forgive();
    await page.context().close();
  });

  console.longTest(
    'a page that cannot show an answer says so, and the other pages are still there',
    async () => {
      const page = await console.opened('#/groups');
      await page.locator('[data-row]').first().waitFor();
      await page.route('**/api/zones*', (route) => route.fulfill({ json: { zones: [{}] } }));
      await page.getByRole('link', { name: 'Zones', exact: true }).click();
      await page.getByText(/^This page cannot be shown/).waitFor();
      await goTo(page, 'Product groups');
      await page.locator('[data-row]').first().waitFor();
      console.forgive();
      await page.context().close();
    },
  );

  console.longTest('what was typed for one shop is not offered for another', async () => {
    const page = await console.opened(place('zones', { open: 'new' }));
    await page.getByLabel('Name', { exact: true }).fill('Of the first shop');
    await page.route('**/api/shop', async (route) => {
      const response = await route.fetch();
      const { shop } = await response.json();
      await route.fulfill({ response, json: { shop: { ...shop, id: 'shop_other' } } });
    });
    const signIn = async (): Promise<void> => {
      await fromUserMenu(page, 'Sign out');
      await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('API key').fill(DEMO_KEY);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Create the zone' }).waitFor();
    };
    await signIn();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '');
    await page.getByLabel('Name', { exact: true }).fill('Of the other shop');
    await signIn();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Of the other shop');
    await page.context().close();
  });

  /** Refuses new zones with this status. */
  const refuseZones = (page: Page, status: number, code: string, retryAfter: string) =>
    page.route('**/api/zones', (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const error = { code, message: 'for the moment' };
      return route.fulfill({ status, headers: { 'retry-after': retryAfter }, json: { error } });
    });

  test('a refusal for a while says when to try again, and keeps what was typed', async () => {
    const page = await console.opened(place('zones', { open: 'new' }));
    await refuseZones(page, 503, 'UNAVAILABLE', '60');
    await typeZone(page, 'In a minute');
    await page.getByText(/^The service cannot do this for the moment .* Try again in 60 s/).waitFor();
    await page.unroute('**/api/zones');
    await saveAgain(page, 'In a minute');
  });

  console.longTest('a save that the plan refuses for the moment says so and goes on by itself', async () => {
    const page = await console.opened(place('zones', { open: 'new' }));
    // Longer than a call repeats by itself.
    await refuseZones(page, 429, 'RATE_LIMITED', '11');
    await typeZone(page, 'Later');
    await page.getByText(/^The shop is busy .* goes on by itself in 11 s/).waitFor();
    await page.unroute('**/api/zones');
    console.forgive();
    await page.getByRole('region', { name: 'Later' }).waitFor();
    const { zones } = answered(await console.client.listZones());
    const made = zones.filter(({ name }) => name === 'Later');
    assert.equal(made.length, 1);
    answered(await console.client.deleteZone(made[0]?.id ?? ''));
    await page.context().close();
  });
}
