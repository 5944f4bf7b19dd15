/** Nothing on a page moves while its parts are read, whatever the order in which the service answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import type { ConsoleInBrowser } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';
import { PLACES, type Place } from './places.ts';

/** Of the sum of the layout shifts of a page; browsers call 0.1 good. */
const SHIFT_MAX = 0.02;

const OBSERVE = `globalThis.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value, sources }) =>
    ({ value, moved: sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 80)) }))))
    .observe({ type: 'layout-shift', buffered: true });`;
const TWO_FRAMES = 'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))';

/** Answers what the page asks the API call by call, the last asked first; each answer is painted before the next comes. */
async function answerOneByOne(page: Page): Promise<void> {
  const waiting: Route[] = [];
  await page.route('**/api/**', (route) => void waiting.push(route));
  const answerAll = async (): Promise<void> => {
    while (!page.isClosed()) {
      const route = waiting.pop();
      const response = await route?.fetch();
      if (response) await route?.fulfill({ response });
      await page.evaluate(TWO_FRAMES);
    }
  };
  // A call that the page gave up meanwhile has no answer, and a window that is closed asks nothing.
  const goOn = (): unknown => (page.isClosed() ? undefined : answerAll().catch(goOn));
  void goOn();
}

export function layoutShiftTests(console: ConsoleInBrowser): void {
  async function assertStill(width: number, places: Readonly<Record<string, Place>>): Promise<void> {
    const page = await console.opened(null);
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(OBSERVE);
    await answerOneByOne(page);
    for (const [name, [fragment, shown]] of Object.entries(places)) {
      await page.goto(`${console.server.url}/console${fragment}`);
      await page.getByText(shown).first().waitFor({ state: 'attached' });
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await page.evaluate(TWO_FRAMES);
      const shifts = (await page.evaluate('shifts.splice(0)')) as { readonly value: number }[];
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      assert.ok(sum <= SHIFT_MAX, `${name}, ${width} wide: ${JSON.stringify(shifts, null, 2)}`);
    }
    await page.context().close();
  }

  test('nothing moves while the parts of a page arrive one by one', () => assertStill(1_400, PLACES));

  test('nothing moves below the banner of a draft in a narrow window', async () => {
    answered(await console.client.changeStaging({ action: 'enter' }));
    answered(await console.client.createGroup({ name: 'In the draft' }));
    await assertStill(400, { ...PLACES, changeset: ['#/changeset', 'Publish…'] });
    answered(await console.client.changeStaging({ action: 'discard' }));
  });
}
