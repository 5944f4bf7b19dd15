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
import { DEMO_KEY } from '../../support/server-process.ts';
import { changesetTests } from './changeset-page.ts';
import { checksTests } from './checks-page.ts';
import { docsTests } from './docs-page.ts';
import { frameTests } from './frame.ts';
import { germanShopStory } from './german-shop-story.ts';
import { groupsTests } from './groups-page.ts';
import { historyTests } from './history-page.ts';
import { importTests } from './import-page.ts';
import { keyboardFlow } from './keyboard-flow.ts';
import { layoutShiftTests } from './layout-shift.ts';
import { methodsTests } from './methods-page.ts';
import { openedPartsTests } from './opened-parts.ts';
import { overviewTests } from './overview-page.ts';
import { PLACES } from './places.ts';
import { refusalTests } from './refusals.ts';
import { settingsTests } from './settings-page.ts';
import { shopsTests } from './shops-page.ts';
import { slowNetworkTests } from './slow-network.ts';
import { testerTests } from './tester-page.ts';
import { twoWindowsTests } from './two-windows.ts';
import { wrongPriceStory } from './wrong-price-story.ts';
import { zonesTests } from './zones-page.ts';

const FILES = programPath('console-page');
const LOOKS = Number(process.env['RATEWRIGHT_CONSOLE_LOOKS'] ?? 1);
const DELAY_MS = Number(process.env['RATEWRIGHT_CONSOLE_DELAY_MS'] ?? 0);
const COMPRESSED_BYTES_MAX = 350 * 1_024;

test('script and style of the first page stay below 350 KB as they are sent', async () => {
  // Those that the page names; others are loaded when a map or a chart is shown.
  const page = readFileSync(join(FILES, 'console.html'), 'utf8');
  const parts = [...page.matchAll(/"console\/([\w-]+\.(?:js|css))"/g)].map(([, name = '']) => name);
  assert.ok(parts.length >= 2);
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

test('what the API calls a changeset is a draft to the reader', () => {
  for (const name of readdirSync(FILES).filter((each) => each.endsWith('.js'))) {
    const code = readFileSync(join(FILES, name), 'utf8');
    // In a sentence it stands beside a word; where code names it, it does not.
    assert.deepEqual(
      code.match(/.{0,40}(?:[a-z] changesets?\b|\bchangesets? [a-z]).{0,40}/gi) ?? [],
      [],
      name,
    );
  }
});

describe('in a browser', { skip: noBrowserReason }, () => {
  const console = new ConsoleInBrowser(LOOKS, DELAY_MS);
  before(() => console.start());
  after(() => console.stop());

  frameTests(console);
  testerTests(console);
  overviewTests(console);
  methodsTests(console);
  historyTests(console);
  changesetTests(console);
  zonesTests(console);
  importTests(console);
  settingsTests(console);
  shopsTests(console);
  groupsTests(console);
  keyboardFlow(console);
  checksTests(console);
  germanShopStory(console);
  wrongPriceStory(console);
  refusalTests(console);
  slowNetworkTests(console);
  twoWindowsTests(console);
  // Each takes long: the long run has them, as `longTest` of the others.
  if (console.isLong) {
    docsTests(console);
    layoutShiftTests(console);
    openedPartsTests(console);
  }

  /** One for all pages: to load axe-core takes as long as to run it. Its language is German, that of the pages is not. */
  let window: Promise<Page> | undefined;
  for (const [name, [fragment, shown]] of Object.entries(PLACES)) {
    test(`the page ${name} is English and accessible in light, dark and forced colours, narrow and wide`, async () => {
      window ??= console.opened('', DEMO_KEY, false, 'de-DE');
      const page = await window;
      await console.move(page, name, fragment);
      await page.getByText(shown).first().waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await console.assertEnglish(page, name);
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
