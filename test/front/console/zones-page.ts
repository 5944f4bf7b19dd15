/** The editor of zones in a real browser: postal codes tried as they are typed, and two editors at one record. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleInBrowser, fromMenu, place } from '../../support/console-in-browser.ts';
import { answered, DEMO_KEY } from '../../support/server-process.ts';

export function zonesTests(console: ConsoleInBrowser): void {
  test('a zone is made with countries by name and a postal code tried before it is saved', async () => {
    const page = await console.opened('#/zones');
    await page.getByRole('button', { name: 'New zone', exact: true }).click();
    const editor = page.getByRole('region', { name: 'New zone' });
    await editor.getByLabel('Name', { exact: true }).fill('Alps');
    // What is no country stays in the box, and nothing is saved while it stands there.
    const countries = editor.getByLabel('Countries');
    await countries.fill('austria, Atlantis, Frankreich');
    const create = editor.getByRole('button', { name: 'Create the zone' });
    await create.press('Enter');
    await editor.getByText('No country is called “Atlantis” or “Frankreich”').waitFor();
    await page.getByText('Not saved: this field cannot be read').waitFor();
    await countries.fill('');
    await editor.getByRole('button', { name: 'Add a region' }).click();
    await page.getByRole('menuitem', { name: /^Neighbours of Austria/ }).click();
    await editor.getByText(/^Germany .*the zone “/).waitFor();
    await editor
      .getByRole('button', { name: /^Take (it|them) out here$/ })
      .first()
      .click();
    await editor.getByRole('button', { name: /^Remove all/ }).click();
    await editor.getByRole('button', { name: 'Add a subzone' }).click();
    await editor.getByLabel('Name of the subzone').fill('Tyrol');
    const codes = editor.getByLabel('Postal codes');
    await codes.fill('6000 – 6699;6*1 ');
    await codes.press('Enter');
    await editor.getByText('has a * that is not at its end').waitFor();
    await codes.fill('6699-6600');
    await countries.fill('AT');
    await create.press('Enter');
    await editor.getByText('ends before it begins: write 6600-6699').waitFor();
    await codes.fill('25845');
    await codes.press('Enter');
    await editor.getByText('no postal code of Austria matches “25845”: 4 digits there').waitFor();
    // Taken when it is saved, without a key that says so.
    await codes.fill('97*');
    await countries.fill('Liechtenstein');
    await editor.getByLabel('Postal code', { exact: true }).fill('6020');
    await editor.getByText('6020 reaches Tyrol by a range, 6000-6699.').waitFor();
    await editor.getByRole('button', { name: 'Remove 6000-6699: 700 codes' }).waitFor();
    await editor.getByLabel('Postal code', { exact: true }).fill('5020');
    await editor.getByText('5020 is in no subzone').waitFor();
    await editor.getByRole('button', { name: 'Add it to Tyrol' }).click();
    await editor.getByText('5020 reaches Tyrol by an exact code').waitFor();
    await create.press('Enter');
    await page.getByRole('region', { name: 'Alps' }).waitFor();
    const id = /open=(\w+)/.exec(page.url())?.[1] ?? '';
    const { zone } = answered(await console.client.getZone(id));
    assert.deepEqual(zone.countries, ['AT', 'LI']);
    assert.deepEqual(
      zone.subzones.map(({ name, postalCodes }) => [name, postalCodes]),
      [['Tyrol', '6000-6699, 97*, 5020']],
    );
    await fromMenu(page, 'Delete…');
    await page.getByRole('button', { name: 'Delete the zone' }).click();
    await page.getByText('Deleted Alps').waitFor();
    assert.equal((await console.client.getZone(id)).ok, false);
    await page.context().close();
  });

  console.longTest(
    'the keyboard alone finds a zone, changes it and saves it, and a draft survives a look elsewhere',
    async () => {
      const { zone } = answered(await console.client.createZone({ name: 'Andorra only', countries: ['AD'] }));
      const page = await console.opened('#/zones', DEMO_KEY, true);
      await page.getByRole('link', { name: zone.name }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('andorra');
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const name = page.getByLabel('Name', { exact: true });
      await name.focus();
      await page.keyboard.press('End');
      await page.keyboard.type(' and more');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await name.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: /not saved/ }).click();
      assert.equal(await name.inputValue(), 'Andorra only and more');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await fromMenu(page, 'Copy as curl');
      // The message before it may still be leaving.
      await page.getByText('Copied the call').last().waitFor();
      const command = String(await page.evaluate('navigator.clipboard.readText()'));
      assert.ok(command.startsWith(`curl -sS -X PUT '${console.server.url}/api/zones/${zone.id}' `));
      assert.ok(command.endsWith(`-d '{"name":"Andorra only and more"}'`));
      await name.focus();
      await page.route(`**/api/zones/${zone.id}`, async (route) => {
        if (route.request().method() === 'PUT') await page.keyboard.type(' typed while it is saved');
        return route.continue();
      });
      await page.keyboard.press('Enter');
      await page.getByText('Saved Andorra only and more').waitFor();
      assert.equal(await name.inputValue(), 'Andorra only and more typed while it is saved');
      assert.equal(answered(await console.client.getZone(zone.id)).zone.name, 'Andorra only and more');
      // What the reader opens while it is deleted stays open.
      const other = place('zones', { open: 'zone_us' });
      await page.route(`**/api/zones/${zone.id}`, async (route) => {
        if (route.request().method() === 'DELETE') await page.evaluate(`location.hash = '${other}'`);
        return route.continue();
      });
      await fromMenu(page, 'Delete…');
      await page.getByRole('button', { name: 'Delete the zone' }).click();
      await page.getByText('Deleted Andorra only and more').waitFor();
      assert.ok(page.url().endsWith(other));
      await page.context().close();
    },
  );

  test('codes that no country of the zone has any more are not saved, and those of its new country are', async () => {
    const subzones = [{ name: 'Islands', postalCodes: '25845, 97000' }];
    const { zone } = answered(
      await console.client.createZone({ name: 'Coast', countries: ['DE'], subzones }),
    );
    const page = await console.opened(place('zones', { open: zone.id }));
    const editor = page.getByRole('region', { name: 'Coast' });
    await editor.getByLabel('Countries').fill('Austria');
    await editor.getByLabel('Countries').press('Enter');
    await editor.getByRole('button', { name: 'Remove Germany' }).click();
    const save = editor.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByText('Not saved: this field cannot be read').waitFor();
    await editor.getByText('No postal code of Austria matches “25845”: 4 digits there').waitFor();
    const codes = editor.getByLabel('Postal codes');
    assert.equal(await codes.inputValue(), '25845, 97000');
    assert.deepEqual(answered(await console.client.getZone(zone.id)).zone, zone);
    await codes.fill('A-6020');
    await save.click();
    await page.getByText('Saved Coast').waitFor();
    const { zone: saved } = answered(await console.client.getZone(zone.id));
    assert.deepEqual([saved.countries, saved.subzones[0]?.postalCodes], [['AT'], '6020']);
    answered(await console.client.deleteZone(zone.id));
    await page.context().close();
  });

  test('what two editors change in one zone is merged and shown, and nothing that was typed is lost', async () => {
    const { zone } = answered(await console.client.createZone({ name: 'Shared', countries: ['AD'] }));
    const page = await console.opened(place('zones', { open: zone.id }));
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    answered(await console.client.updateZone(zone.id, { name: 'Theirs', countries: ['AD', 'SM'] }));
    await page.getByRole('button', { name: 'Save' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Another editor saved this zone meanwhile' });
    await notice.getByText('Countries: nothing → San Marino').waitFor();
    await notice.getByText('You both changed name').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Mine');
    await page.getByRole('button', { name: 'Remove San Marino' }).waitFor();
    assert.equal(answered(await console.client.getZone(zone.id)).zone.name, 'Theirs');
    await console.assertAccessible(page, 'zones-conflict');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Mine').waitFor();
    const saved = answered(await console.client.getZone(zone.id)).zone;
    assert.deepEqual([saved.name, saved.countries], ['Mine', ['AD', 'SM']]);
    // Deleted below what is typed: it can be saved as a new zone.
    await page.getByLabel('Name', { exact: true }).fill('Mine again');
    answered(await console.client.deleteZone(zone.id));
    await page.getByRole('button', { name: 'Save' }).click();
    const asNew = page.getByRole('button', { name: 'Make a new zone of it' });
    await asNew.waitFor();
    // Not in place of another new one.
    await page.getByRole('button', { name: 'New zone', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Another');
    await page.goBack();
    await asNew.click();
    await page.getByText('Save or discard the new zone first').waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.goBack();
    await asNew.click();
    console.forgive();
    await page.getByRole('button', { name: 'Create the zone' }).click();
    await page.getByText('Saved Mine again').waitFor();
    const { zones } = answered(await console.client.listZones());
    const made = zones.find(({ name }) => name === 'Mine again');
    assert.deepEqual(made?.countries, ['AD', 'SM']);
    answered(await console.client.deleteZone(made?.id ?? ''));
    await page.context().close();
  });

  test('a zone is deleted with the methods that are bound to it, which are named, and all come back', async () => {
    const { zone } = answered(await console.client.createZone({ name: 'Unused', countries: ['AD'] }));
    const page = await console.opened(place('zones', { open: zone.id }), DEMO_KEY, true);
    const url = `${console.server.url}/api/zones/${zone.id}`;
    const headers = `-H "Authorization: Bearer $RATEWRIGHT_KEY"`;
    const copied = async (asked: Promise<void>): Promise<unknown> => {
      await asked;
      // The message before it may still be leaving.
      await page.getByText('Copied the call').last().waitFor();
      return page.evaluate('navigator.clipboard.readText()');
    };
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { zones } = answered(await console.client.listZones());
    assert.equal(
      await copied(fromMenu(page, 'Move up, as curl')),
      `curl -sS -X PUT '${url}' ${headers} -H 'content-type: application/json' -d '{"position":${zones.length - 2}}'`,
    );
    await fromMenu(page, 'Delete…');
    assert.equal(
      await copied(page.getByRole('button', { name: 'Copy as curl' }).click()),
      `curl -sS -X DELETE '${url}' ${headers}`,
    );
    await page.getByRole('button', { name: 'Delete the zone' }).click();
    await page.getByText('Deleted Unused').waitFor();
    const before = answered(await console.client.getConfig());
    const [bound] = before.methods.filter(({ zoneId }) => zoneId === 'zone_de');
    await console.move(page, 'zones', place('zones', { open: 'zone_de' }));
    await page.getByLabel('Name', { exact: true }).waitFor();
    await fromMenu(page, 'Delete…');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^\d+ methods.* are bound to this zone/).waitFor();
    await dialog.getByRole('link', { name: bound?.name ?? '' }).waitFor();
    await dialog.getByText(/checks? would fail/).waitFor();
    await console.assertAccessible(page, 'zones-bound', '[role=dialog]');
    await dialog.getByRole('button', { name: /^Delete the zone and \d+ methods/ }).click();
    await page.getByText(/^Deleted Germany with/).waitFor();
    assert.equal((await console.client.getZone('zone_de')).ok, false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Germany is back').waitFor();
    assert.deepEqual(answered(await console.client.getConfig()).methods, before.methods);
    await page.context().close();
  });

  console.longTest('a list of 2,000 zones shows a part of them, and finds any', async () => {
    const page = await console.opened('');
    await page.route('**/api/zones*', (route) => {
      const zones = Array.from({ length: 2_000 }, (_, index) => ({
        id: `zone_${index}`,
        name: `Zone ${index}`,
        countries: ['DE', 'AT', 'CH', 'LI', 'LU'],
        subzones: [],
      }));
      return route.fulfill({ json: { zones } });
    });
    await page.goto(`${console.server.url}/console#/zones`);
    await page.getByRole('button', { name: 'Show 50 more of 2000' }).waitFor();
    assert.equal(await page.locator('[data-row]').count(), 50);
    await page.getByLabel('Search zones').fill('zone 1999');
    await page.getByRole('link', { name: 'Zone 1999' }).waitFor();
    assert.equal(await page.locator('[data-row]').count(), 1);
    await page.context().close();
  });
}
