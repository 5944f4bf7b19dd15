/**
 * The story of the README, "Know before you ship it", by clicks alone: a price was wrong since Tuesday. Who did it, and in
 * which version; the fix beside what is live, a check that guards it, the carts that it changes, the gate, and the promotion.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleInBrowser, demoCart } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

const STANDARD = 'method_us_standard';

export function wrongPriceStory(console: ConsoleInBrowser): void {
  test('a price that is wrong since Tuesday is found, mended beside what is live, and promoted through the gate', async () => {
    const { client } = console;
    const right = answered(await client.getMethod(STANDARD)).method.freeShippingThreshold;
    assert.equal(right, 25_000);
    // Somebody types a digit too few.
    answered(await client.updateMethod(STANDARD, { freeShippingThreshold: 2_500 }));
    const wrong = answered(await client.listVersions()).versions[0]?.number;
    // A checkout asks; what is tried in the tester is no live traffic.
    answered(await client.simulate(JSON.parse(demoCart('us-po-box'))));

    const page = await console.opened('#/settings');
    const open = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    const button = (name: string | RegExp) => page.getByRole('button', { name }).click();
    const offered = (name: string) =>
      page.getByRole('table', { name: /^Offered/ }).getByRole('row', { name: new RegExp(`^${name} `) });
    const price = (dollars: string) => offered('Standard').getByText(dollars, { exact: true });

    const gate = page.getByRole('form', { name: 'Rules for publishing' });
    await gate.getByLabel('No check fails').check();
    await gate.getByLabel('No cart loses all its rates').check();
    await gate.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Rules for publishing').waitFor();

    await open('Rate tester');
    await button('Paste or pick…');
    await page.getByLabel('Cart as JSON').fill(demoCart('us-po-box'));
    await button('Use this cart');
    // Only the cart before is offered it.
    await offered('Expedited').waitFor({ state: 'detached' });
    await price('$0.00').waitFor();
    await button('Standard');
    await button('When did this change?');
    const change = page
      .getByRole('region', { name: 'Standard' })
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`Version ${wrong}, .* with the key “Demo admin”`) });
    await change.getByRole('deletion').filter({ hasText: '$7.95' }).waitFor();

    await open('Draft');
    await button('Open a draft');
    await page.getByText('A draft is open: what you save goes to it', { exact: true }).waitFor();
    await open('Methods');
    await page.getByLabel('Search').fill('us-standard');
    await page.getByRole('link', { name: 'Standard', exact: true }).click();
    const method = page.getByRole('form', { name: 'Standard' });
    await method.getByLabel(/^Free from/).fill('250.00');
    await method.getByRole('button', { name: 'Save' }).click();
    await method.getByText('All saved').waitFor();

    await open('Rate tester');
    await price('$7.95').waitFor();
    await price('$0.00').waitFor();
    await button('Save as check…');
    const check = page.getByRole('dialog', { name: 'Save as check' });
    assert.equal(await check.getByLabel('Expected are the rates of').inputValue(), 'staged');
    await check.getByLabel('Name').fill('Montana pays for Standard');
    await check.getByRole('button', { name: 'Save the check' }).click();

    await open('Draft');
    await button('Compare recent carts');
    await page.getByText(/^Before it was opened: [1-9]\d* of \d+ carts? would get other rates/).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /from before .*Standard \$0\.00 → \$7\.95/ })
      .first()
      .waitFor();
    await page.getByText('The rules for publishing hold').waitFor();
    await button('Publish…');
    const question = page.getByRole('dialog', { name: 'Publish this draft?' });
    await question.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('The draft is published').waitFor();

    await open('Rate tester');
    await price('$7.95').waitFor();
    await price('$0.00').waitFor({ state: 'detached' });
    await page.context().close();

    assert.equal(answered(await client.getMethod(STANDARD)).method.freeShippingThreshold, right);
    const { checks } = answered(await client.listChecks());
    const saved = checks.find(({ name }) => name === 'Montana pays for Standard');
    assert.deepEqual(saved?.expectations[0], {
      kind: 'rates',
      rates: [
        { serviceCode: 'us-economy', totalPrice: 495 },
        { serviceCode: 'us-standard', totalPrice: 795 },
      ],
    });
    answered(await client.deleteCheck(saved.id));
    answered(await client.updateShop({ promotionGate: null }));
  });
}
