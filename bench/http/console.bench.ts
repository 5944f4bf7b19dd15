/** How long the console takes from the address to the rates of its first cart, in Chromium with the demo shop. */
import { noBrowserReason } from '../../test/support/browser.ts';
import type { Part } from '../part.ts';

export const consolePart: Part = {
  id: 'http/console',
  title: 'Console: from its address to the rates of the first cart',
  async run(part) {
    if (noBrowserReason !== false) throw new Error(noBrowserReason);
    // Only here: it brings node:test along, which reports at the end of any process that has loaded it.
    const { ConsoleInBrowser } = await import('../../test/support/console-in-browser.ts');
    const console = new ConsoleInBrowser();
    const fresh: number[] = [];
    const kept: number[] = [];
    await console.start();
    try {
      for (let round = 0; round < part.effort.rounds; round++) {
        part.step(`window ${round + 1}`);
        const page = await console.opened('');
        const shownMs = async (): Promise<number> => {
          await page.getByText(/^Offered/).waitFor();
          return Number(await page.evaluate('performance.now()'));
        };
        fresh.push(await shownMs());
        await page.reload();
        kept.push(await shownMs());
        await page.context().close();
      }
    } finally {
      await console.stop();
    }
    part.record({ id: 'http/console/fresh', label: 'new window, empty cache', unit: 'ms', samples: fresh });
    part.record({ id: 'http/console/kept', label: 'loaded again, parts kept', unit: 'ms', samples: kept });
    part.note('Signed in already. Browser and server share the machine; the clock is that of the page.');
  },
};
