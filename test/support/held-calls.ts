/** Calls of a page that wait, or fail, as long as a test wants. */
import type { Page, Request, Route } from 'playwright-core';

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

export const isWriting = (path: string, action: string) => (request: Request) =>
  isCall('POST', path)(request) && request.postDataJSON().action === action;
