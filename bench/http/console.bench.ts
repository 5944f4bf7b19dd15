/**
 * How long the console takes from the address until its first page has its figures, and the tester the rates of its first
 * cart, in Chromium with the demo shop.
 */
import type { Page } from 'playwright-core';
import { noBrowserReason } from '../../test/support/browser.ts';
import type { Part } from '../part.ts';

/** By the fragment of the address: what stands there once the page can be used. */
const PAGES = [
  {
    ...{ id: 'first', fragment: '', label: 'first page with its figures' },
    isShown: (page: Page) => page.locator('section[aria-label=Figures][aria-busy=false]').waitFor(),
  },
  {
    ...{ id: 'tester', fragment: '#/tester', label: 'rates of the first cart' },
    isShown: (page: Page) => page.getByText(/^Offered/).waitFor(),
  },
] as const;

/** Behind the id of a figure, and in words. */
const STATES = [
  ['', 'new window, empty cache'],
  ['-kept', 'loaded again, parts kept'],
] as const;

export const consolePart: Part = {
  id: 'http/console',
  title: 'Console: from its address to the figures of its first page, and to the rates of the first cart',
  async run(part) {
    if (noBrowserReason !== false) throw new Error(noBrowserReason);
    // Only here: it brings node:test along, which reports at the end of any process that has loaded it.
    const { ConsoleInBrowser } = await import('../../test/support/console-in-browser.ts');
    const console = new ConsoleInBrowser();
    const samples = new Map<string, number[]>();
    const keep = (id: string, ms: number): void => void samples.set(id, [...(samples.get(id) ?? []), ms]);
    await console.start();
    try {
      for (let round = 0; round < part.effort.rounds; round++) {
        part.step(`window ${round + 1}`);
        for (const { id, fragment, isShown } of PAGES) {
          const page = await console.opened(fragment);
          const shownMs = async (): Promise<number> => {
            await isShown(page);
            return Number(await page.evaluate('performance.now()'));
          };
          keep(id, await shownMs());
          await page.reload();
          keep(`${id}-kept`, await shownMs());
          await page.context().close();
        }
      }
    } finally {
      await console.stop();
    }
    for (const { id, label } of PAGES) {
      for (const [suffix, state] of STATES) {
        const [figure, text] = [`${id}${suffix}`, `${label}, ${state}`];
        const found = samples.get(figure) ?? [];
        part.record({ id: `http/console/${figure}`, label: text, unit: 'ms', samples: found });
      }
    }
    part.note('Signed in already. Browser and server share the machine; the clock is that of the page.');
  },
};
