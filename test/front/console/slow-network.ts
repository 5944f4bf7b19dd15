/** Answers that fail, or come late and in another order: no page says what is not so, and nothing goes where it should not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Request, Route } from 'playwright-core';
import { type ConsoleInBrowser, goTo, place } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

interface Held {
  /** Resolves once the call was made. */
  readonly made: Promise<void>;
  readonly release: () => void;
}

function promised(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Holds the first call that is meant; `isDone`: only its answer waits. */
export async function held(
  page: Page,
  isMeant: (request: Request) => boolean,
  isDone = false,
): Promise<Held> {
  const [made, call] = [promised(), promised()];
  let isTaken = false;
  await page.route('**/api/**', async (route: Route) => {
    if (isTaken || !isMeant(route.request())) return route.fallback();
    isTaken = true;
    const answer = isDone ? await route.fetch() : undefined;
    made.resolve();
    await call.promise;
    return answer === undefined ? route.continue() : route.fulfill({ response: answer });
  });
  return { made: made.promise, release: call.resolve };
}

/** Calls that are meant get this answer until the returned function is called. */
export async function failing(
  page: Page,
  isMeant: (request: Request) => boolean,
  code = 'UNAVAILABLE',
): Promise<() => Promise<void>> {
  const refuse = async (route: Route): Promise<void> =>
    isMeant(route.request())
      ? route.fulfill({ status: 503, json: { error: { code, message: 'not now' } } })
      : route.fallback();
  await page.route('**/api/**', refuse);
  return () => page.unroute('**/api/**', refuse);
}

export const isCall = (method: string, path: string) => (request: Request) =>
  request.method() === method && new URL(request.url()).pathname.endsWith(path);

const STANDARD = 'method_us_standard';

export function slowNetworkTests(console: ConsoleInBrowser): void {
  test('what is saved goes nowhere while it is not known whether a draft is open', async () => {
    const { client } = console;
    answered(await client.changeStaging({ action: 'enter' }));
    const page = await console.opened(place('methods', { open: STANDARD }));
    const form = page.getByRole('form', { name: 'Standard' });
    await form.getByLabel('Price (USD)', { exact: true }).fill('1.11');
    answered(await client.changeStaging({ action: 'discard' }));
    const mend = await failing(page, isCall('GET', '/api/staging'));
    const save = page.getByRole('button', { name: 'Save to the draft' });
    await save.click();
    await page.getByText('the service did not say whether a draft is open').waitFor();
    await mend();
    console.forgive();
    await save.click();
    await page.getByText('the draft has ended. What you save now is live').waitFor();
    assert.deepEqual(answered(await client.getMethod(STANDARD)).method.config, { price: 795 });
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.context().close();
  });

  test('a late answer that a draft is open does not open it again on the page', async () => {
    const { client } = console;
    answered(await client.changeStaging({ action: 'enter' }));
    const page = await console.opened(place('methods', { open: STANDARD }));
    const form = page.getByRole('form', { name: 'Standard' });
    await form.getByLabel('Description').fill('Some days');
    let isSaved = false;
    page.on('response', (answer) => {
      isSaved ||= answer.request().method() === 'PUT';
    });
    const reading = await held(page, (request) => isSaved && isCall('GET', '/api/staging')(request), true);
    // After a call that is no reading, no part of the page takes part in a reading from before it.
    const tried = page.waitForResponse((answer) => isSaved && answer.url().includes('/api/simulate'));
    await page.getByRole('button', { name: 'Save to the draft' }).click();
    await Promise.all([reading.made, tried]);
    answered(await client.changeStaging({ action: 'discard' }));
    await goTo(page, 'Draft');
    await page.getByText('No draft is open').waitFor();
    reading.release();
    // Said once the reading is done.
    await page.getByText(/^Saved Standard/).waitFor();
    assert.equal(await page.getByText('A draft is open: what you save').count(), 0);
    await page.context().close();
  });
}
