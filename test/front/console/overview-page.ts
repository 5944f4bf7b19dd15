/** The overview in a real browser: what it says is wrong leads to a cart that shows it; small and large shops. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Schemas } from '../../../src/front/client/call-table.ts';
import { type ConsoleInBrowser, demoCart, goTo } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

const METHODS = 2_000;

/** A shop of 400 zones by ten groups, half of whose pairs have a method. */
function largeConfig(): Schemas['ConfigSnapshot'] {
  const productGroups = Array.from({ length: 10 }, (_, at) => ({
    ...{ id: `group_${at}`, name: `Goods ${at}`, isDefault: at === 0 },
    ...{ variantIds: [], productIds: [], skus: [`G${at}-*`], tags: [], vendors: [] },
  }));
  const zones = Array.from({ length: 400 }, (_, at) => ({
    ...{ id: `zone_${at}`, name: `Region ${at}`, countries: at === 0 ? ['*'] : [] },
    subzones: [],
  }));
  const methods = Array.from({ length: METHODS }, (_, at) => ({
    ...{ id: `method_${at}`, name: `Method ${at}`, subtitle: '', serviceCode: `service-${at}` },
    ...{ zoneId: `zone_${at % 400}`, productGroupId: `group_${Math.floor(at / 400)}`, enabled: true },
    ...{ rateType: 'flat', config: { price: 500 }, freeShippingThreshold: null, rules: [] },
  }));
  const config = { versionId: 'version_1', productGroups, zones, methods, blendedRates: [], checks: [] };
  return config as unknown as Schemas['ConfigSnapshot'];
}

const withConfig = (page: Page, config: Schemas['ConfigSnapshot']): Promise<unknown> => {
  const methods = config.methods.map(({ id }) => ({
    ...{ methodId: id, considered: 0, visible: 0, offered: 0, lastOfferedAt: null },
  }));
  const counts = {
    since: '2026-01-01T00:00:00.000Z',
    simulations: 40,
    days: [
      { date: '2026-11-27', simulations: 30, withoutRate: 2, cheapestMedian: 495 },
      { date: '2026-11-28', simulations: 10, withoutRate: 1, cheapestMedian: 595 },
    ],
    zones: [],
    rules: [],
    tiers: [],
  };
  return Promise.all([
    page.route('**/api/config?*', (route) => route.fulfill({ json: config })),
    page.route('**/api/config/lint?*', (route) => route.fulfill({ json: { findings: [], omitted: [] } })),
    page.route('**/api/coverage', (route) => route.fulfill({ json: { ...counts, methods, groups: [] } })),
    page.route('**/api/checks', (route) =>
      route.fulfill({ json: { versionId: null, passed: 0, failed: 0, results: [] } }),
    ),
  ]);
};

export function overviewTests(console: ConsoleInBrowser): void {
  test('a failing check, a finding and a cell of the grid each lead to their cart in the tester', async () => {
    const request = JSON.parse(demoCart('us-po-box'));
    const expectations = [{ kind: 'rate' as const, serviceCode: 'us-economy', totalPrice: 1 }];
    const { check } = answered(
      await console.client.createOrRunChecks({ name: 'A cent to Montana', request, expectations }),
    ) as { check: Schemas['CheckRecord'] };
    answered(await console.client.simulate(request));
    const page = await console.opened('#/overview');
    const checks = page.getByRole('region', { name: 'Checks' });
    await checks.getByText(/^1 of \d+ checks fail/).waitFor();
    await checks.getByText('A cent to Montana').waitFor();
    await page
      .getByRole('row', { name: /^United States/ })
      .getByText('offered today')
      .first()
      .waitFor();
    const cell = page.getByRole('link', { name: 'None: Germany, Fragile' });
    assert.match((await cell.getAttribute('href')) ?? '', /country%22%3A%22DE/);
    await console.assertAccessible(page, 'overview-failing');
    await checks.getByRole('link', { name: 'Open its cart in the tester' }).click();
    await page.getByLabel('Address line').waitFor({ state: 'attached' });
    assert.equal(await page.getByLabel('Postal code').inputValue(), request.destination.postalCode);
    await page.goBack();
    const findings = page.getByRole('region', { name: 'Findings' });
    await findings
      .getByRole('listitem')
      .filter({ hasText: '"Fragile" has no method in zone "Germany"' })
      .getByRole('link', { name: 'Open a cart that shows it' })
      .click();
    await page.getByLabel('Country').locator('option[value="DE"]:checked').waitFor({ state: 'attached' });
    answered(await console.client.deleteCheck(check.id));
    await page.context().close();
  });

  console.longTest('a shop of 2,000 methods is searched and shown in parts', async () => {
    const page = await console.opened('#/tester');
    await page.getByText(/^Offered/).waitFor();
    await withConfig(page, largeConfig());
    await goTo(page, 'Overview');
    await page.getByText('2000 gaps').waitFor();
    assert.equal(await page.getByRole('row').count(), 41);
    const figures = page.getByRole('region', { name: 'Figures' });
    await figures.getByText('3 of 40 carts, 1 today').waitFor();
    await figures.getByRole('img', { name: /rate by day: \$4\.95 to \$5\.95$/ }).waitFor();
    const unused = page.getByRole('region', { name: 'Not used' });
    await unused.getByText(`${METHODS} of ${METHODS}`).waitFor();
    await unused.getByRole('button', { name: `Show 5 more of ${METHODS}` }).waitFor();
    await console.assertAccessible(page, 'overview-crowded');
    await page.getByLabel('Product groups').selectOption({ index: 1 });
    await page.getByRole('columnheader', { name: 'Goods 9' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('region 399');
    await page.getByRole('row', { name: 'Region 399' }).waitFor();
    assert.equal(await page.getByRole('row').count(), 2);
    await page.context().close();
  });

  test('a shop without anything says what to do first', async () => {
    const page = await console.opened('#/tester');
    await page.getByText(/^Offered/).waitFor();
    await withConfig(page, { ...largeConfig(), productGroups: [], zones: [], methods: [] });
    await goTo(page, 'Overview');
    await page.getByRole('link', { name: 'import a configuration' }).waitFor();
    await page.getByText('There are no checks').waitFor();
    await console.assertAccessible(page, 'overview-empty');
    await page.context().close();
  });

  test('the price map is coloured by price and by zone, and a country of it or of its table opens in the tester', async () => {
    const page = await console.opened('#/map');
    const map = page.getByRole('region', { name: 'Map' });
    await map.getByText(/^No rate/).waitFor();
    const germany = map.locator('path').filter({ hasText: /^Germany: \$/ });
    const byPrice = (await germany.getAttribute('style')) ?? '';
    assert.match(byPrice, /^fill: light-dark\(/);
    await page.getByLabel('Colours').selectOption('Zone');
    await map.getByText('In no zone').waitFor();
    const byZone = (await germany.getAttribute('style')) ?? '';
    assert.match(byZone, /^fill: light-dark\(/);
    assert.notEqual(byZone, byPrice);
    await page.getByLabel('Part of the world').selectOption('Germany');
    await page.getByRole('row', { name: /^France/ }).waitFor({ state: 'detached' });
    await germany.click();
    await page.getByLabel('Country').locator('option[value="DE"]:checked').waitFor({ state: 'attached' });
    await page.goBack();
    await page.getByRole('table').getByRole('link', { name: 'Germany' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Country').locator('option[value="DE"]:checked').waitFor({ state: 'attached' });
    await page.context().close();
  });
}
