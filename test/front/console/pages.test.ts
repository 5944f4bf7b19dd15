/**
 * The console in a real browser: its pages through their main jobs by mouse and by keyboard, their accessibility, the
 * policy, and the size. The tests of a page stand in the file of its name; all share one server and one browser.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { programPath } from '../../../src/base/runtime/package-files.ts';
import { StaticText } from '../../../src/front/http/static-text.ts';
import { noBrowserReason } from '../../support/browser.ts';
import { ConsoleInBrowser } from '../../support/console-in-browser.ts';
import { changesetTests } from './changeset-page.ts';
import { checksTests } from './checks-page.ts';
import { docsTests } from './docs-page.ts';
import { groupsTests } from './groups-page.ts';
import { historyTests } from './history-page.ts';
import { importTests } from './import-page.ts';
import { keyboardFlow } from './keyboard-flow.ts';
import { layoutShiftTests } from './layout-shift.ts';
import { methodsTests } from './methods-page.ts';
import { newShopStory } from './new-shop-story.ts';
import { openedPartsTests } from './opened-parts.ts';
import { overviewTests } from './overview-page.ts';
import { PLACES } from './places.ts';
import { refusalTests } from './refusals.ts';
import { settingsTests } from './settings-page.ts';
import { testerTests } from './tester-page.ts';
import { wrongPriceStory } from './wrong-price-story.ts';
import { zonesTests } from './zones-page.ts';

const FILES = programPath('console-page');
const LOOKS = Number(process.env['RATEWRIGHT_CONSOLE_LOOKS'] ?? 2);
const COMPRESSED_BYTES_MAX = 80 * 1_024;

test('script and style together stay below 80 KB as they are sent', async () => {
  const parts = readdirSync(FILES).filter((name) => /\.(?:js|css)$/.test(name));
  assert.equal(parts.length, 2);
  let bytes = 0;
  for (const name of parts) {
    const text = new StaticText('script', () => readFileSync(join(FILES, name)));
    const answer = text.answer({ acceptEncoding: 'br', ifNoneMatch: null });
    assert.ok(answer.ok && answer.value.kind === 'later');
    const sent = (await answer.value.ready)();
    assert.ok(sent.ok);
    bytes += sent.value.body?.length ?? 0;
  }
  assert.ok(bytes > 10_000 && bytes < COMPRESSED_BYTES_MAX, `${bytes} bytes`);
});

describe('in a browser', { skip: noBrowserReason }, () => {
  const console = new ConsoleInBrowser(LOOKS);
  before(() => console.start());
  after(() => console.stop());

  testerTests(console);
  overviewTests(console);
  methodsTests(console);
  historyTests(console);
  changesetTests(console);
  zonesTests(console);
  importTests(console);
  settingsTests(console);
  docsTests(console);
  groupsTests(console);
  keyboardFlow(console);
  checksTests(console);
  newShopStory(console);
  wrongPriceStory(console);
  refusalTests(console);
  layoutShiftTests(console);
  openedPartsTests(console);

  /** One for all pages: to load axe-core takes as long as to run it. */
  let window: Promise<Page> | undefined;
  for (const [name, [fragment, shown]] of Object.entries(PLACES)) {
    test(`the page ${name} is accessible in light, dark and forced colours, narrow and wide`, async () => {
      window ??= console.opened('');
      const page = await window;
      await console.move(page, name, fragment);
      await page.getByText(shown).first().waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await console.assertAccessibleInAll(page, name);
      await console.assertFitsBetween(page, name);
      await console.assertFocusShows(page, name);
    });
  }

  test('the request for a key is accessible in light and dark, narrow and wide', async () => {
    const page = await console.opened('', null);
    await page.getByLabel('API key').waitFor();
    await console.assertAccessibleInAll(page, 'sign-in');
    await console.assertFitsBetween(page, 'sign-in');
    await page.context().close();
  });

  test('no page broke the policy, reported an error, called another host or wrote without both guards', () => {
    assert.deepEqual(console.complaints, []);
  });
});
