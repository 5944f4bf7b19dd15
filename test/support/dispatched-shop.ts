/** The whole service without its sockets: the demo shop in its actor on a log in memory, behind the real pipeline. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createMetrics } from '../../src/base/metrics/metrics.ts';
import { silentLogger } from '../../src/base/runtime/logger.ts';
import type { PlanTable } from '../../src/engine/domain/plan.ts';
import { DEMO_SHOP_ID, giveDemoKey, prepareDemoShop } from '../../src/front/command-line/demo-shop.ts';
import { HTTP_LIMITS } from '../../src/front/http/dependencies.ts';
import { RequestPipeline } from '../../src/front/http/pipeline.ts';
import type { Route } from '../../src/front/http/route.ts';
import type { HttpRequest } from '../../src/front/http/uws.ts';
import { readSettings } from '../../src/front/settings.ts';
import { LiveKeyRing } from '../../src/shop/actor/key-ring.ts';
import { DIRECTORY_LIMITS, LiveShopDirectory } from '../../src/shop/actor/shop-directory.ts';
import type { ShopAccess } from '../../src/shop/reader/shop-access.ts';
import { NO_WATCH } from '../../src/shop/reader/simulation-watch.ts';
import { FakeOperators } from './fake-operators.ts';
import { FakeShops } from './fake-shops.ts';
import { MemoryEventLog } from './memory-event-log.ts';
import { POOL_IN_THIS_THREAD } from './pool-in-this-thread.ts';
import { RecordedResponse } from './recorded-response.ts';
import { NO_COVERAGE, NO_RESULTS, NOW_MS } from './test-server.ts';
import { UNLIMITED } from './unlimited-plan.ts';

const KEY = 'rw_key_of_a_shop_in_memory_0123456789abcdef';
const SECRET = 'shpss_secret_of_a_shop_in_memory';
/** Few enough for random writes to reach, and to keep the shop small. */
const PLANS: PlanTable = {
  enterprise: {
    ...UNLIMITED,
    methods: 100,
    groups: 30,
    zones: 60,
    blendedRates: 20,
    rulesPerMethod: 30,
    keys: 20,
  },
};

/** How a request is sent: the parts that its body comes in, and what its head says beside the usual. */
export interface Sending {
  readonly path: string;
  readonly parts: readonly Uint8Array[];
  readonly isChunked: boolean;
  readonly idempotencyKey: string | null;
}

export class DispatchedShop {
  readonly shop: ShopAccess;
  /** What was logged as an error. */
  readonly errors: unknown[];
  readonly #log: MemoryEventLog;
  readonly #directory: LiveShopDirectory;
  readonly #pipeline: RequestPipeline;

  private constructor(
    shop: ShopAccess,
    errors: unknown[],
    log: MemoryEventLog,
    directory: LiveShopDirectory,
    pipeline: RequestPipeline,
  ) {
    this.shop = shop;
    this.errors = errors;
    this.#log = log;
    this.#directory = directory;
    this.#pipeline = pipeline;
  }

  static async open(routes: readonly Route[]): Promise<DispatchedShop> {
    const log = new MemoryEventLog();
    const errors: unknown[] = [];
    const metrics = createMetrics();
    let nowMs = NOW_MS;
    const clock = { nowMs: () => nowMs++, monotonicMs: () => 0 };
    const directory = openDirectory(log, clock, errors);
    const shop = await prepareDemoShop(log, directory);
    assert.ok(shop !== null);
    await giveDemoKey(shop, KEY, () => {});
    const request = { keyId: null, batchId: null, ifMatch: null, idempotency: null };
    const render = () => ({ status: 200, body: '' });
    const sealed = await shop.write({
      ...request,
      command: { kind: 'setShopifySecret', sealed: SECRET },
      render,
    });
    assert.ok(sealed.ok);
    const error = (event: string, fields: object = {}): void => {
      errors.push({ event, ...fields });
    };
    const logger = { ...silentLogger, error, fatal: error };
    const settings = { ...HTTP_LIMITS, ...readSettings({}) };
    let seeds = 0;
    const dependencies = {
      keys: new LiveKeyRing({ log, clock, logger }),
      shops: directory,
      plans: PLANS,
      shadow: NO_RESULTS,
      coverage: NO_COVERAGE,
      pool: POOL_IN_THIS_THREAD,
      clock,
      logger,
      newSeed: () => `seed_${++seeds}`,
      secrets: { seal: (secret: string) => secret, open: (secret: string) => secret },
      operators: new FakeOperators(new FakeShops()),
      metrics,
      metricsText: () => Promise.resolve(''),
      phase: () => 'ready' as const,
    };
    const pipeline = new RequestPipeline(dependencies, settings, routes);
    pipeline.open();
    return new DispatchedShop(shop, errors, log, directory, pipeline);
  }

  /** Requests that are not yet answered. */
  get inFlight(): number {
    return this.#pipeline.inFlight;
  }

  /** Sends a request with a good key, or a good signature where the route takes callbacks. */
  send(route: Route, sending: Sending): RecordedResponse {
    const { path, parts, isChunked, idempotencyKey } = sending;
    const headers = new Map([
      ['host', 'shop'],
      ['content-type', 'application/json'],
    ]);
    if (isChunked) headers.set('transfer-encoding', 'chunked');
    else headers.set('content-length', String(parts.reduce((sum, { length }) => sum + length, 0)));
    if (route.kind === 'callback') headers.set('x-shopify-hmac-sha256', signatureOf(parts));
    else {
      headers.set('authorization', `Bearer ${KEY}`);
      if (idempotencyKey !== null) headers.set('idempotency-key', idempotencyKey);
    }
    const request = {
      getCaseSensitiveMethod: () => route.verb,
      getUrl: () => path,
      getQuery: () => '',
      forEach: (visit: (name: string, value: string) => void) => {
        for (const [name, value] of headers) visit(name, value);
      },
    } as HttpRequest;
    const response = new RecordedResponse();
    this.#pipeline.handle(response, request);
    for (const [at, part] of parts.entries()) response.receive(part, at === parts.length - 1);
    return response;
  }

  /** Waits for pending work. The next start of the process must read the same state from the log. */
  async checkRecovery(): Promise<void> {
    const { state } = this.shop;
    await this.#directory.close();
    const log = this.#log.reopen();
    const again = await openDirectory(log, { nowMs: () => NOW_MS, monotonicMs: () => 0 }, this.errors).load(
      DEMO_SHOP_ID,
    );
    assert.deepEqual(JSON.parse(JSON.stringify(again.state)), JSON.parse(JSON.stringify(state)));
  }
}

function openDirectory(
  log: MemoryEventLog,
  clock: { nowMs(): number; monotonicMs(): number },
  errors: unknown[],
): LiveShopDirectory {
  let made = 0;
  return new LiveShopDirectory({
    log,
    clock,
    // The same ids in each run, so that a run can be repeated.
    ids: { next: () => `made_${String(++made).padStart(12, '0')}` },
    logger: silentLogger,
    metrics: createMetrics(),
    plans: PLANS,
    limits: DIRECTORY_LIMITS,
    onKeyRevoked: () => {},
    watch: NO_WATCH,
    onFatal: (cause) => errors.push(cause),
  });
}

function signatureOf(parts: readonly Uint8Array[]): string {
  const hmac = createHmac('sha256', SECRET);
  for (const part of parts) hmac.update(part);
  return hmac.digest('base64');
}
