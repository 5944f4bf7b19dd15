/** The page of the draft in a real browser, from its begin to both of its ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleInBrowser, demoCart, fromMenu } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

export function changesetTests(console: ConsoleInBrowser): void {
  test('a draft is opened, judged by the carts it changes, and published; another is discarded', async () => {
    const { method } = answered(await console.client.getMethod('method_us_economy'));
    answered(await console.client.updateShop({ promotionGate: null }));
    const page = await console.opened('#/changeset');
    await page.getByLabel('Name', { exact: true }).fill('Winter prices');
    await page.getByLabel('Note', { exact: true }).fill('Agreed with the carrier.');
    await page.getByRole('button', { name: 'Open a draft' }).click();
    await page.getByRole('heading', { name: 'Winter prices' }).waitFor();
    await page.getByText(/^Opened .* by Demo admin\. Agreed with the carrier\./).waitFor();
    await page.getByText('There is no difference').waitFor();
    answered(await console.client.updateMethod(method.id, { rateType: 'flat', config: { price: 5 } }));
    answered(await console.client.simulate(JSON.parse(demoCart('us-po-box'))));
    const sample = page.getByRole('link', { name: 'Open in the tester' }).first();
    const byMethod = page.getByRole('table', { name: 'By method' });
    for (let tries = 0; tries < 300 && (await byMethod.count()) === 0; tries++) {
      await page.getByRole('button', { name: 'Read again' }).click();
      // A further click would end the reading.
      await page.waitForTimeout(100);
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    }
    const changes = page.getByRole('region', { name: 'What changes' });
    await changes.getByRole('insertion').filter({ hasText: '$0.05' }).waitFor();
    await byMethod.getByText('Economy').waitFor();
    await page.getByRole('row', { name: /^Canada not seen/ }).waitFor();
    const concerns = page.getByRole('list', { name: 'Before you publish' });
    // The worst comes first, and each has its evidence.
    const first = concerns.getByRole('listitem').first();
    await first.getByText(/^[1-9]\d* of \d+ checks fail/).waitFor();
    await first
      .getByText(/Economy costs \$0\.05, instead of \$/)
      .first()
      .waitFor();
    await concerns.getByText(/^[1-9]\d* of [1-9][\d,]* carts tried would get other rates/).waitFor();
    await concerns.getByText(/^Economy \$.+ → \$0\.05/).waitFor();
    await concerns
      .getByText(/^Of 1 cart of customers .* 1 would get other rates \(.\$[\d.]+ in all\)/)
      .waitFor();
    assert.match((await sample.getAttribute('href')) ?? '', /columns=live%2Cstaged/);
    await console.assertAccessible(page, 'changeset-active');
    // Nothing guards this shop: the question says so, and offers the guard.
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish this draft?' });
    await dialog.getByText(/^[1-9]\d* of \d+ checks fail/).waitFor();
    await dialog.getByRole('insertion').filter({ hasText: '$0.05' }).first().waitFor();
    await dialog.getByText('Nothing guards publishing').waitFor();
    await dialog.getByRole('button', { name: 'Ask that no check fails' }).click();
    await dialog.getByText('One rule for publishing does not hold').waitFor();
    await dialog.getByText(/^No check fails: \d+ do/).waitFor();
    assert.deepEqual(answered(await console.client.getShop()).shop.promotionGate, { checksPass: true });
    assert.equal(await dialog.getByRole('button', { name: 'Publish', exact: true }).count(), 0);
    await console.assertAccessible(page, 'changeset-forced');
    // A key that writes cannot pass the rules, and is not offered to.
    const { secret, key } = answered(await console.client.createKey({ label: 'W', permission: 'write' }));
    const writer = await console.opened('#/changeset', secret);
    await writer.getByRole('button', { name: 'Publish…' }).click();
    await writer.getByText('ask somebody whose key may do everything').waitFor();
    assert.equal(await writer.getByRole('button', { name: /despite the rules/ }).count(), 0);
    await writer.context().close();
    answered(await console.client.revokeKey(key.id));
    await dialog.getByRole('button', { name: 'Publish despite the rules' }).click();
    await page.getByText('The draft is published').waitFor();
    const [newest] = answered(await console.client.listVersions()).versions;
    assert.match(newest?.description ?? '', /promotion forced/);
    const { rateType, config } = answered(await console.client.getMethod(method.id)).method;
    assert.deepEqual([rateType, config], ['flat', { price: 5 }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The prices are those from before the draft').waitFor();
    assert.deepEqual(answered(await console.client.getMethod(method.id)).method.config, method.config);
    await console.move(page, 'history', '#/history');
    await page
      .getByRole('button', {
        name: /Winter prices, published despite the rules: 1 changed.*Economy: price \$0\.05/,
      })
      .waitFor();
    await console.move(page, 'changeset', '#/changeset');
    await page.getByRole('button', { name: 'Open a draft' }).click();
    await page.getByText('There is no difference').waitFor();
    answered(await console.client.updateMethod(method.id, { productGroupId: 'group_oversized' }));
    const discarding = page.getByRole('dialog', { name: 'Discard this draft?' });
    await fromMenu(page, 'Discard the draft…');
    await discarding.getByRole('button', { name: 'Discard all changes' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Another editor changed the draft' });
    await notice.getByText('Product group: Standard goods → Oversized').waitFor();
    console.forgive();
    assert.equal(await notice.getByText('Oversized').getAttribute('title'), 'group_oversized');
    assert.notEqual(answered(await console.client.getStaging()).staging, null);
    await console.assertAccessible(page, 'changeset-conflict');
    await discarding.getByRole('button', { name: 'Discard all changes' }).click();
    await page.getByText('The draft is discarded').waitFor();
    assert.equal(answered(await console.client.getStaging()).staging, null);
    // Another editor opens one: the banner follows what this page reads.
    answered(await console.client.changeStaging({ action: 'enter' }));
    await console.move(page, 'history', '#/history');
    await console.move(page, 'changeset', '#/changeset');
    await page.getByText('A draft is open: what you save goes to it').waitFor();
    answered(await console.client.changeStaging({ action: 'discard' }));
    await page.context().close();
  });
}
