/** Answers that fail, or come late and in another order: no page says what is not so, and nothing goes where it should not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { type ConsoleInBrowser, demoCart, fromMenu, goTo, place } from '../../support/console-in-browser.ts';
import { failing, held, isCall, isWriting } from '../../support/held-calls.ts';
import { answered } from '../../support/server-process.ts';

/** The style waits for seven. */
const DIMMED_LOOKS_MAX = 300;
const STANDARD = 'method_us_standard';

export function slowNetworkTests(console: ConsoleInBrowser): void {
  test('what is saved goes nowhere while it is not known whether a draft is open', async () => {
    const { client } = console;
    const page = await console.opened(place('methods', { open: STANDARD }));
    const form = page.getByRole('form', { name: 'Standard' });
    await form.getByLabel('Price (USD)', { exact: true }).fill('1.11');
    const mend = await failing(page, isCall('GET', '/api/staging'));
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await form.getByText('The service cannot do this for the moment').waitFor();
    await mend();
    console.forgive();
    answered(await client.changeStaging({ action: 'enter' }));
    await save.click();
    await page.getByText('a draft is open. What you save now goes to it').waitFor();
    await page.getByRole('button', { name: 'Save to the draft' }).waitFor();
    assert.deepEqual(answered(await client.getMethod(STANDARD)).method.config, { price: 795 });
    answered(await client.changeStaging({ action: 'discard' }));
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.context().close();
  });

  test('a late answer that a draft is open does not open it again on the page', async () => {
    const { client } = console;
    answered(await client.changeStaging({ action: 'enter' }));
    const page = await console.opened(place('methods', { open: STANDARD }));
    const form = page.getByRole('form', { name: 'Standard' });
    await form.getByLabel('Description').fill('Some days');
    let isSaved = false;
    page.on('response', (answer) => {
      isSaved ||= answer.request().method() === 'PUT';
    });
    const reading = await held(page, (request) => isSaved && isCall('GET', '/api/staging')(request), true);
    // After a call that is no reading, no part of the page takes part in a reading from before it.
    const tried = page.waitForResponse((answer) => isSaved && answer.url().includes('/api/simulate'));
    await page.getByRole('button', { name: 'Save to the draft' }).click();
    await Promise.all([reading.made, tried]);
    answered(await client.changeStaging({ action: 'discard' }));
    await goTo(page, 'Draft');
    await page.getByText('No draft is open').waitFor();
    reading.release();
    // Said once the reading is done.
    await page.getByText(/^Saved Standard/).waitFor();
    assert.equal(await page.getByText('A draft is open: what you save').count(), 0);
    await page.context().close();
  });

  test('rates of the cart before say so, and become no check', async () => {
    const page = await console.opened(place('tester', { cart: demoCart('us-po-box') }));
    await page.getByText('Economy').first().waitFor();
    // While the answer is late, what is shown is dimmed.
    const asked = await held(page, isCall('POST', '/api/simulate'));
    await page.getByLabel('Country').first().selectOption('CA');
    await asked.made;
    await page.locator('.read-again[aria-busy=true]').first().waitFor();
    const opacity = `getComputedStyle(document.querySelector('.read-again')).opacity`;
    for (let looks = 0; (await page.evaluate(opacity)) !== '0.45'; looks++) {
      assert.ok(looks < DIMMED_LOOKS_MAX, 'rates that are old are not dimmed');
      await page.waitForTimeout(100);
    }
    asked.release();
    await page.getByText('Zone Canada').waitFor();
    const mend = await failing(page, isCall('POST', '/api/simulate'));
    await page.getByLabel('Country').first().selectOption('DE');
    await page.getByText('these are rates from before').waitFor();
    const save = page.getByRole('button', { name: 'Save as check…' });
    await save.click();
    await page.getByText('Not saved: there is no answer for the cart as it is now').waitFor();
    await mend();
    console.forgive();
    await page.getByText('Zone Germany').waitFor();
    await page.getByText('these are rates from before').waitFor({ state: 'detached' });
    await save.click();
    await page.getByRole('dialog').waitFor();
    await page.context().close();
  });

  test('a price that is typed while others are saved stays', async () => {
    const page = await console.opened('#/methods');
    const retype = async (name: string, price: string): Promise<void> => {
      await page.getByRole('button', { name: `Change the price of ${name},` }).click();
      await page.getByLabel(`Price of ${name} (USD)`).fill(price);
      await page.keyboard.press('Tab');
    };
    await retype('Portland courier', '19.96');
    await page.getByRole('button', { name: 'Review and save…' }).click();
    const write = await held(page, isWriting('/api/config', 'execute'), true);
    await page.getByRole('button', { name: 'Save as one version' }).click();
    await write.made;
    await page.keyboard.press('Escape');
    await retype('Saturday delivery', '16.16');
    write.release();
    await page.getByText(/^Saved 1 change/).waitFor();
    await page.getByText('1 new price', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/^Taken back/).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.context().close();
  });

  test('what cannot be taken back says why and is tried again, and is sent once when it is pressed twice', async () => {
    const { client } = console;
    const { zone } = answered(await client.createZone({ name: 'Taken back', countries: [] }));
    const page = await console.opened(place('zones', { open: zone.id }));
    await fromMenu(page, 'Delete…');
    await page.getByRole('button', { name: 'Delete the zone' }).click();
    await page.getByText('Deleted Taken back').waitFor();
    const isUndo = isWriting('/api/versions', 'rollback');
    const mend = await failing(page, isUndo);
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await page.getByText(/^Not taken back\. The service cannot do this/).waitFor();
    await mend();
    console.forgive();
    const write = await held(page, isUndo);
    await page.evaluate(
      `for (const button of document.querySelectorAll('[role=alert] button'))
        if (button.textContent === 'Undo') [1, 2].forEach(() => button.click())`,
    );
    await write.made;
    await page.getByText(/^Not taken back/).waitFor({ state: 'detached' });
    write.release();
    await page.getByText('Taken back: Taken back is back').waitFor();
    answered(await client.deleteZone(zone.id));
    await page.context().close();
  });

  test('a record whose answer was lost is made once, also where its page was left and opened again', async () => {
    const { client } = console;
    const page = await console.opened(place('zones', { open: 'new' }));
    const create = page.getByRole('button', { name: 'Create the zone' });
    const isCreate = isCall('POST', '/api/zones');
    const goAway = async (): Promise<void> => {
      await goTo(page, 'Product groups');
      await page.locator('[data-row]').first().waitFor();
      await page.goBack();
    };
    const made = async (name: string) =>
      answered(await client.listZones()).zones.filter((zone) => zone.name === name);
    const lose = async (route: Route): Promise<void> => {
      if (!isCreate(route.request())) return route.fallback();
      await route.fetch();
      return route.abort('connectionreset');
    };
    await page.getByLabel('Name', { exact: true }).fill('Lost');
    await page.route('**/api/**', lose);
    await create.click();
    await page.getByText(/It may have been saved/).waitFor();
    await page.unroute('**/api/**', lose);
    console.forgive();
    await goAway();
    await create.click();
    await page.getByText(/^Saved Lost/).waitFor();

    // Its answer comes to the editor that was left, not to the one that is shown.
    await page.getByRole('button', { name: 'New zone' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Late');
    const write = await held(page, isCreate);
    await create.click();
    await write.made;
    await goAway();
    await create.waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Late and longer');
    write.release();
    await page.getByText(/^Saved Late/).waitFor();
    await create.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Late and longer');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved Late and longer/).waitFor();
    for (const name of ['Lost', 'Late and longer']) {
      const zones = await made(name);
      assert.equal(zones.length, 1);
      answered(await client.deleteZone(zones[0]?.id ?? ''));
    }
    assert.equal((await made('Late')).length, 0);
    await page.context().close();
  });

  test('a save that fails after its page was left says so, and one that is done leaves no other word', async () => {
    const page = await console.opened(place('methods', { open: STANDARD }));
    const form = page.getByRole('form', { name: 'Standard' });
    const description = form.getByLabel('Description');
    const before = await description.inputValue();
    await description.fill('Some days');
    const isSave = isCall('PUT', `/api/methods/${STANDARD}`);
    const mend = await failing(page, isSave);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await goTo(page, 'Zones');
    await page.getByText('Not saved: Standard. Your edit is kept').waitFor();
    await mend();
    console.forgive();
    await page.getByRole('link', { name: '1 unsaved edit' }).click();
    const kept = page.getByText('Nothing of it is saved yet');
    await kept.waitFor();
    const write = await held(page, isSave);
    await save.click();
    await write.made;
    await goTo(page, 'Zones');
    await page.goBack();
    await kept.waitFor();
    write.release();
    await page.getByText(/^Saved Standard/).waitFor();
    await kept.waitFor({ state: 'detached' });
    await description.fill(before);
    await save.click();
    await page.getByText('All saved').waitFor();
    // A text that cannot be read is not saved either.
    await form.getByLabel('Price (USD)', { exact: true }).fill('4,999');
    await form.getByText('Not saved', { exact: true }).waitFor();
    await goTo(page, 'Zones');
    await page.getByText('Not kept: what could not be read in Standard').waitFor();
    await page.getByRole('link', { name: /^Canada/ }).click();
    await page.getByText('All saved').waitFor();
    const countries = page.getByLabel('Countries', { exact: true });
    await countries.fill('Narnia');
    // Before it becomes a chip, or is refused.
    await page.getByText('Not saved', { exact: true }).waitFor();
    await page.getByLabel('Name', { exact: true }).focus();
    await page.getByText('No country is called “Narnia”').waitFor();
    await page.getByText('Not saved', { exact: true }).waitFor();
    await page.context().close();
  });
}
