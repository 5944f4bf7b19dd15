/** The page of a changeset in a real browser, from its begin to both of its ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleInBrowser, demoCart } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

export function changesetTests(console: ConsoleInBrowser): void {
  test('a changeset is entered, judged by the carts it changes, and promoted; another is discarded', async () => {
    const { method } = answered(await console.client.getMethod('method_us_economy'));
    const page = await console.opened('#/changeset');
    await page.getByRole('button', { name: 'Enter a changeset' }).click();
    await page.getByText('There is no difference').waitFor();
    answered(await console.client.updateMethod(method.id, { rateType: 'flat', config: { price: 5 } }));
    answered(await console.client.simulate(JSON.parse(demoCart('us-po-box'))));
    const sample = page.getByRole('link', { name: 'Open in the tester' }).first();
    const byMethod = page.getByRole('table', { name: 'By method' });
    for (let tries = 0; tries < 300 && (await byMethod.count()) === 0; tries++) {
      await page.getByRole('button', { name: 'Read again' }).click();
      await page.waitForTimeout(100);
    }
    await page.getByRole('insertion').filter({ hasText: '$0.05' }).waitFor();
    await byMethod.getByText('Economy').waitFor();
    await page
      .getByText(/carts made from the values of this shop, [1-9][0-9]* would get other rates/)
      .waitFor();
    await page
      .getByText(/us-economy \$[0-9.]+, .* → us-economy \$0\.05, /)
      .first()
      .waitFor();
    await page.getByRole('row', { name: /^Canada . not seen/ }).waitFor();
    await console.assertAccessible(page, 'changeset-active');
    answered(await console.client.updateShop({ promotionGate: { checksPass: true } }));
    await page.getByRole('button', { name: 'Promote', exact: true }).click();
    await page.getByText('Not promoted: the gate below does not pass.').waitFor();
    const gate = page.getByRole('region', { name: 'Gate' });
    await gate
      .getByRole('listitem')
      .filter({ hasText: /us-economy costs 0\.05 USD/ })
      .first()
      .waitFor();
    console.forgive();
    assert.match((await sample.getAttribute('href')) ?? '', /columns=live%2Cstaged/);
    // A key that writes cannot pass the gate, and is not offered to.
    const { secret, key } = answered(await console.client.createKey({ label: 'W', permission: 'write' }));
    const writer = await console.opened('#/changeset', secret);
    await writer.getByText('Gate: does not pass').waitFor();
    await writer.getByRole('button', { name: 'Promote', exact: true }).waitFor();
    assert.equal(await writer.getByRole('button', { name: /despite the gate/ }).count(), 0);
    await writer.context().close();
    answered(await console.client.revokeKey(key.id));
    await page.getByRole('button', { name: 'Promote despite the gate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Promote despite the gate?' });
    await dialog.getByText('One criterion does not hold').waitFor();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /No check fails: [1-9].*us-economy costs 0\.05 USD/ })
      .waitFor();
    await console.assertAccessible(page, 'changeset-forced');
    await dialog.getByRole('button', { name: 'Promote all the same' }).click();
    await page.getByText('The changeset is live').waitFor();
    answered(await console.client.updateShop({ promotionGate: null }));
    const [newest] = answered(await console.client.listVersions()).versions;
    assert.match(newest?.description ?? '', /promotion forced/);
    const { rateType, config } = answered(await console.client.getMethod(method.id)).method;
    assert.deepEqual([rateType, config], ['flat', { price: 5 }]);
    answered(
      await console.client.updateMethod(method.id, {
        rateType: method.rateType,
        config: method.config,
      } as never),
    );
    await page.getByRole('button', { name: 'Enter a changeset' }).click();
    await page.getByText('There is no difference').waitFor();
    answered(await console.client.updateMethod(method.id, { productGroupId: 'group_oversized' }));
    const discard = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Discard…' }).click();
      await page.getByRole('button', { name: 'Discard all changes' }).click();
    };
    await discard();
    const notice = page.getByRole('alert').filter({ hasText: 'Another editor changed the changeset' });
    await notice.getByText('Product group: Standard goods → Oversized').waitFor();
    assert.equal(await notice.getByText('Oversized').getAttribute('title'), 'group_oversized');
    assert.notEqual(answered(await console.client.getStaging()).staging, null);
    await console.assertAccessible(page, 'changeset-conflict');
    await discard();
    await page.getByText('The changeset is discarded').waitFor();
    assert.equal(answered(await console.client.getStaging()).staging, null);
    // Another editor enters one: the banner follows what this page reads.
    answered(await console.client.changeStaging({ action: 'enter' }));
    await console.move(page, 'history', '#/history');
    await console.move(page, 'changeset', '#/changeset');
    await page.getByText('A changeset is active: what you save goes to it').waitFor();
    answered(await console.client.changeStaging({ action: 'discard' }));
    await page.context().close();
  });
}
