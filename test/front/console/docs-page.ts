/** The page of the API in a real browser: it renders every operation, within its policy, and sends one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConsoleInBrowser } from '../../support/console-in-browser.ts';
import { answered, DEMO_KEY } from '../../support/server-process.ts';

export function docsTests(console: ConsoleInBrowser): void {
  test('the page of the API shows every operation and sends one', async () => {
    const page = await console.opened('', null);
    await page.goto(`${console.server.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    const description = await fetch(`${console.server.url}/openapi.json`);
    const { paths } = (await description.json()) as { paths: Record<string, object> };
    const operations = Object.values(paths).flatMap((verbs) => Object.keys(verbs));
    assert.equal(await page.locator('.opblock').count(), operations.length);
    assert.match((await page.locator('.info .title').textContent()) ?? '', /Ratewright/);

    await page.locator('.scheme-container button.authorize').click();
    await page.locator('.auth-container input').first().fill(DEMO_KEY);
    await page.locator('.auth-container button.authorize').first().click();
    await page.locator('.auth-container button.btn-done').first().click();
    const operation = page.locator('.opblock', { has: page.locator('[data-path="/api/shop"]') }).first();
    await operation.locator('.opblock-summary').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const responses = operation.locator('.live-responses-table');
    await responses.locator('td.response-col_status').first().waitFor();
    const { shop } = answered(await console.client.getShop());
    const shown = (await responses.textContent()) ?? '';
    assert.ok(/200/.test(shown) && shown.includes(`"${shop.id}"`), shown.slice(0, 1_000));
    await page.context().close();
  });
}
