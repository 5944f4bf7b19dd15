/**
 * The console in a real browser, on the demo shop of a real server. The tests of a file share both: each opens a window of
 * its own and restores the prices that it changed.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { runCommand } from '../cli/run-command.ts';
import { launchBrowser } from './browser.ts';
import { freePort } from './free-port.ts';
import { answered, DEMO_KEY, ServerProcess, temporaryFolder } from './server-process.ts';

/** Screenshots of a run, for a person to look at. */
const SCREENSHOTS = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Long enough for every answer on a busy machine. */
const WAIT_MS = 60_000;
/** Each width with each colour scheme. */
const LOOKS = [
  ['light', 1_400],
  ['dark', 400],
  ['light', 400],
  ['dark', 1_400],
] as const;
const WIDTHS_BETWEEN = [768, 1_024, 1_280] as const;
const DESK_WIDTH = 1_400;
const HEIGHT = 900;
/** A new tab begins with an empty document, which has no storage. Only at first: a test may sign out. */
const signInWith = (key: string): string =>
  `if (location.protocol === 'http:' && sessionStorage.getItem('begun') === null) {
    sessionStorage.setItem('begun', '');
    localStorage.setItem('ratewright-key', \`\${Date.now() + 3_600_000} ${key}\`);
  }`;

/** Months, days, dates, amounts, countries and currencies as a browser in German writes them. */
const GERMAN =
  /\b(?:Januar|Februar|März|Mai|Juni|Juli|Oktober|Okt|Dezember|Dez|\w+tag|Mittwoch|Frankreich|US-Dollar)\b|\b\d{1,2}\.(?:\d{1,2}\.\d\d| (?:April|August|September|November|Nov)\b)|\d,\d\d(?!\d)/gu;

const DEVELOPER_VIEW = `if (location.protocol === 'http:') localStorage.setItem('ratewright-developer', 'on')`;

export const demoCart = (name: string): string =>
  readFileSync(new URL(`../../../data/carts/${name}.json`, import.meta.url), 'utf8');

/** The fragment of a page with its parameters. */
export const place = (page: string, parameters: Readonly<Record<string, string>>): string =>
  `#/${page}?${new URLSearchParams(parameters)}`;

/** Goes to a page by its link in the navigation; the page that is left may have links of similar names. */
export const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click();

/** Chooses an item of the menu of the reader. */
export async function fromUserMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Chooses an item of the menu at a heading. */
export async function fromMenu(within: Page | Locator, name: string): Promise<void> {
  await within.getByRole('button', { name: 'More', exact: true }).click();
  const page = 'page' in within ? within.page() : within;
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** What every write of the console carries; what an operator does to a shop as a whole is in no version. */
const guardsOf = (sent: Request): readonly string[] =>
  /^\/operator\/(?!.*\/api\/)/.test(new URL(sent.url()).pathname)
    ? ['idempotency-key']
    : ['if-match', 'idempotency-key'];
const ASKING = /^\{"action":"(?:run|compare|bisect|preview)"/;

const isWrite = (sent: Request): boolean =>
  sent.method() !== 'GET' &&
  !/\/api\/simulate/.test(sent.url()) &&
  !(sent.method() === 'POST' && ASKING.test(sent.postData() ?? ''));

export class ConsoleInBrowser {
  /** Errors that pages reported, their requests to other hosts, and their writes without both guards. */
  readonly complaints: string[] = [];
  readonly #looks: readonly (typeof LOOKS)[number][];
  readonly #delayMs: number;
  #folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined;
  #server: ServerProcess | undefined;
  #browser: Browser | undefined;

  /**
   * `looks`: in how many of the four looks pages are checked, from 1 (light and wide); the second is dark and narrow.
   * `delayMs`: how late an answer of the service comes at most, at random; most come much sooner.
   */
  constructor(looks = 1, delayMs = 0) {
    this.#looks = LOOKS.slice(0, looks);
    this.#delayMs = delayMs;
  }

  /** Whether this is a run of all looks and of all tests. */
  get isLong(): boolean {
    return this.#looks.length > 1;
  }

  /** A test that takes long for what it shows beside the others: only the long run has it. */
  longTest(name: string, run: () => Promise<void>): void {
    if (this.isLong) test(name, run);
  }

  async start(): Promise<void> {
    this.#folder = await temporaryFolder();
    // A port that the system chose itself cannot be taken again at once.
    const port = String(await freePort());
    [this.#server, this.#browser] = await Promise.all([
      ServerProcess.start(this.#folder.path, { RATEWRIGHT_PORT: port }),
      launchBrowser(),
    ]);
    mkdirSync(SCREENSHOTS, { recursive: true });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.#server?.stop('SIGKILL');
    await this.#folder?.discard();
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    await this.server.stop('SIGKILL');
  }

  /** Starts the killed server again, with the same data and at the same address. */
  async startAgain(): Promise<void> {
    const { port } = new URL(this.server.url);
    this.#server = await ServerProcess.start(this.#folder?.path ?? '', { RATEWRIGHT_PORT: port });
  }

  get server(): ServerProcess {
    assert.ok(this.#server !== undefined, 'start() comes first');
    return this.#server;
  }

  /** The API with the key of the demo shop. */
  get client(): ServerProcess['client'] {
    return this.server.client;
  }

  /** The plan of the demo shop, as the operator sets it; `enterprise` at first. */
  async setPlan(plan: string): Promise<void> {
    const { shop } = answered(await this.client.getShop());
    const { code, stderr } = await runCommand(this.#folder?.path ?? '', [
      'shop',
      'set-plan',
      plan,
      '--shop',
      shop.id,
    ]);
    assert.equal(code, 0, stderr);
  }

  /** Drops the complaints so far: the test has provoked them. */
  forgive(): void {
    this.complaints.splice(0);
  }

  /**
   * Opens a fragment in a window of its own, signed in with the key; a null fragment leaves the window empty. `locale` is
   * the language of the browser. Close it with `page.context().close()`.
   */
  async opened(
    fragment: string | null,
    key: string | null = DEMO_KEY,
    isDeveloper = false,
    locale = 'en-US',
  ): Promise<Page> {
    assert.ok(this.#browser !== undefined, 'start() comes first');
    const context = await this.#browser.newContext({
      viewport: { width: DESK_WIDTH, height: HEIGHT },
      locale,
      // During a transition colours have another contrast.
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(WAIT_MS);
    context.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(`${message.text()} ${message.location().url}`);
    });
    context.on('weberror', (error) => this.complaints.push(error.error().message));
    context.on('request', (sent) => {
      if (!sent.url().startsWith(this.server.url) && !sent.url().startsWith('data:'))
        this.complaints.push(sent.url());
      if (isWrite(sent)) {
        const lacking = guardsOf(sent).filter((name) => sent.headers()[name] === undefined);
        if (lacking.length > 0)
          this.complaints.push(`${sent.method()} ${sent.url()} without ${lacking.join(' and ')}`);
      }
    });
    if (this.#delayMs > 0) {
      await context.route(/\/(?:api|operator)\//, async (route) => {
        await setTimeout(Math.random() ** 3 * this.#delayMs);
        // Its page may be gone.
        await route.continue().catch(() => undefined);
      });
    }
    if (key !== null) await context.addInitScript(signInWith(key));
    if (isDeveloper) await context.addInitScript(DEVELOPER_VIEW);
    const page = await context.newPage();
    if (fragment !== null) await page.goto(`${this.server.url}/console${fragment}`);
    return page;
  }

  /** The price in the row of this name. */
  priceOf = (page: Page, name: string): Promise<string | null> =>
    page
      .getByRole('row', { name: new RegExp(`^${name}`) })
      .locator('strong')
      .textContent();

  /** Goes to a place on the page of this name in a window that shows another. */
  async move(page: Page, name: string, fragment: string): Promise<void> {
    await page.goto(`${this.server.url}/console${fragment}`);
    // In a narrow window the navigation is folded.
    await page.locator(`nav a[aria-current=page][href="#/${name}"]`).waitFor({ state: 'attached' });
  }

  /** No finding of axe-core in the part that the selector names, and all fits. */
  async assertAccessible(page: Page, name: string, within = 'html'): Promise<void> {
    // Through the protocol of the browser, because the policy of the page refuses other scripts.
    if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(readFileSync(AXE, 'utf8'));
    const found = (await page.evaluate(
      // The rest of a report, such as where each passed element stands, would take a third of the time.
      `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'], selectors: false })
        .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    )) as string[];
    assert.deepEqual(found, [], name);
    await this.assertFits(page, name);
  }

  /** Nothing on a page of a browser in German is written as such a browser writes it. */
  async assertEnglish(page: Page, name: string): Promise<void> {
    assert.equal(await page.evaluate('(495 / 100).toLocaleString()'), '4,95');
    const text = String(await page.evaluate('document.body.innerText'));
    assert.deepEqual(text.match(GERMAN) ?? [], [], name);
  }

  /** Nothing is wider than the window or its panel. */
  async assertFits(page: Page, name: string): Promise<void> {
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, name);
    const crowded = await page.evaluate(
      `[...document.querySelectorAll('.panel, [role=dialog]')].filter((panel) => panel.scrollWidth > panel.clientWidth)
        .map((panel) => panel.innerText.slice(0, 40))`,
    );
    assert.deepEqual(crowded, [], `${name}: panels whose content is wider than they are`);
  }

  /** With forced colours, each element that gets the focus is outlined, in view and not covered. */
  async assertFocusShows(page: Page, name: string): Promise<void> {
    await page.emulateMedia({ forcedColors: 'active' });
    // Browsers outline what has the focus once a key was used.
    await page.keyboard.press('Tab');
    const lost = await page.evaluate(
      `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
        .filter((element) => !element.matches(':disabled') && element.checkVisibility())
        // A country of the map may not have its middle in it; what leads there by keys is the table.
        .filter((element) => element.tabIndex >= 0 || element.closest('[aria-hidden=true]') === null)
        .filter((element) => {
          element.focus();
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const { left, top, width, height } = element.getClientRects()[0];
          const shown = document.elementFromPoint(left + width / 2, top + height / 2);
          const isOnTop = element.contains(shown) || shown?.contains(element);
          return document.activeElement !== element || outlineStyle === 'none' || parseFloat(outlineWidth) < 2 || !isOnTop;
        })
        .map((element) => element.outerHTML.slice(0, 120))`,
    );
    await page.emulateMedia({ forcedColors: 'none' });
    assert.deepEqual(lost, [], `${name}: elements whose focus is not seen`);
  }

  /** `assertAccessible` in each look; the long run saves a picture of it under the name. */
  async assertAccessibleInAll(page: Page, name: string, within?: string): Promise<void> {
    for (const [colorScheme, width] of this.#looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: HEIGHT });
      const look = `${name}-${colorScheme}-${width}`;
      await this.assertAccessible(page, look, within);
      if (this.isLong) await page.screenshot({ path: join(SCREENSHOTS, `${look}.png`), fullPage: true });
    }
  }

  /** All fits at the widths between. */
  async assertFitsBetween(page: Page, name: string): Promise<void> {
    for (const width of WIDTHS_BETWEEN) {
      await page.setViewportSize({ width, height: HEIGHT });
      await this.assertFits(page, `${name}-${width}`);
    }
    await page.setViewportSize({ width: DESK_WIDTH, height: HEIGHT });
  }
}
