/**
 * Random runs of clients against the real shop and against a plain model of the contract: every answer, every
 * configuration and every version must equal the result of the model. The long form:
 * `RATEWRIGHT_MODEL_RUNS=10000 npm test -- model`. The seed is printed; `RATEWRIGHT_MODEL_SEED` runs it again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AuditEntry } from '../../src/engine/domain/audit.ts';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import type { Comparison } from '../../src/engine/domain/version.ts';
import { viewTagOf } from '../../src/engine/domain/view-tag.ts';
import { readText } from '../house/project-files.ts';
import { referenceSimulate } from '../support/reference/simulate.ts';
import {
  type HeadersIntent,
  headersIntent,
  headersOf,
  type RequestIntent,
  requestIntent,
  requestOf,
  withoutBulkIds,
} from './intents.ts';
import type { PlainConfig, PlainLimits, PlainMethod, PlainRule } from './plain-config.ts';
import {
  type PlainEntry,
  type PlainHeaders,
  type PlainOffer,
  type PlainRequest,
  PlainShop,
  type PlainVersion,
} from './plain-shop.ts';
import { plainOf, RealShop, type Sent } from './real-shop.ts';

const RUNS = Number(process.env['RATEWRIGHT_MODEL_RUNS'] ?? 100);
const SEED = Number(process.env['RATEWRIGHT_MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Maximum length of a run; the average is half of it. */
const COMMANDS_MAX = 92;

const UNBOUNDED = 1_000;
const PLANS: Readonly<Record<string, PlainLimits>> = {
  wide: {
    zones: UNBOUNDED,
    groups: UNBOUNDED,
    methods: UNBOUNDED,
    blendedRates: UNBOUNDED,
    checks: UNBOUNDED,
    rulesPerMethod: UNBOUNDED,
  },
  tight: { zones: 3, groups: 3, methods: 4, blendedRates: 1, checks: 1, rulesPerMethod: 2 },
};

const lists = { variantIds: [], productIds: [], skus: [], tags: [], vendors: [] };
const method = (id: string, zoneId: string, productGroupId: string, rules: PlainRule[]): PlainMethod => ({
  id,
  name: 'Standard',
  subtitle: '',
  serviceCode: id,
  zoneId,
  productGroupId,
  rateType: 'flat',
  config: { price: 500 },
  enabled: true,
  freeShippingThreshold: null,
  thresholdBasis: 'cart_total',
  delivery: null,
  phoneRequired: false,
  rules,
});
const hiding = (id: string): PlainRule => ({
  id,
  action: 'hide',
  conditions: [],
  enabled: true,
  name: '',
});

/** Some records of every kind, for the first requests. */
const START: PlainConfig = {
  zones: [
    {
      id: 'zone_us',
      name: 'United States',
      countries: ['US'],
      subzones: [
        { id: 'sub_ak', name: 'Alaska', postalCodes: '995*' },
        { id: 'sub_hi', name: 'Hawaii', postalCodes: '967*, 968*' },
      ],
    },
    { id: 'zone_row', name: 'Rest of world', countries: ['*'], subzones: [] },
  ],
  productGroups: [
    { id: 'group_all', name: 'All', isDefault: true, ...lists },
    { id: 'group_heavy', name: 'Heavy', isDefault: false, ...lists },
  ],
  methods: [
    method('method_a', 'zone_us', 'group_all', [hiding('rule_a'), hiding('rule_b')]),
    method('method_b', 'sub_ak', 'group_all', []),
    method('method_c', 'zone_us', 'group_heavy', [hiding('rule_c')]),
    method('method_d', 'zone_row', 'group_all', []),
  ],
  blendedRates: [],
  checks: [],
};

interface Model {
  shop: PlainShop;
  /** The carts that the process has answered, which a replay repeats. */
  carts: SimulateRequest[];
  /** The last accepted request, which may be sent again. */
  last: { request: PlainRequest; headers: PlainHeaders; key: string; body: string } | null;
}

type Command = fc.AsyncCommand<Model, RealShop>;

const totals = { requests: 0, refused: 0, versions: 0, carts: 0, gated: 0 };

/** Compares an answer with the model, and applies the request to the model when it was accepted. */
function settle(
  model: Model,
  real: RealShop,
  request: PlainRequest,
  headers: PlainHeaders,
  sent: Sent,
): void {
  const { shop } = model;
  const verdict = shop.verdict(request, headers);
  totals.requests++;
  if (verdict !== null) totals.refused++;
  if (request.kind === 'promoteStaging' && shop.changeset !== null && verdict === 'CONFLICT') totals.gated++;
  const text = JSON.stringify(request);
  assert.equal(sent.ok ? null : sent.code, verdict, `${text} ${sent.ok ? '' : sent.message}`);
  if (!sent.ok) return;
  const { result } = sent.value;
  assert.ok(result !== null);
  const record =
    ('zone' in result && result.zone) ||
    ('group' in result && result.group) ||
    ('method' in result && result.method) ||
    ('rule' in result && result.rule) ||
    ('blendedRate' in result && result.blendedRate) ||
    ('check' in result && result.check) ||
    ('key' in result && result.key);
  const made = {
    recordId: record ? record.id : '',
    stagingId: 'staging' in result ? result.staging.id : '',
    versionIds: newVersionIds(real, shop),
  };
  const { state } = real.actor;
  shop.take(request, headers, made, plainOf((state.staging ?? state).config));
}

/** Ids of the versions of the real shop that the model does not have, oldest first. */
function newVersionIds(real: RealShop, shop: PlainShop): string[] {
  const page = real.actor.history.list({ limit: 100, cursor: null, includeBatched: true });
  assert.ok(page.ok);
  return page.value.versions
    .filter(({ number }) => number > shop.versions.length)
    .map(({ id }) => id)
    .reverse();
}

function assertSame({ shop }: Model, real: RealShop): void {
  const { state } = real.actor;
  assert.deepEqual(plainOf(state.config), shop.current.config);
  assert.deepEqual(
    [state.version.id, state.version.number, state.version.createdBy, state.version.batchId],
    [shop.current.id, shop.current.number, shop.current.createdBy, shop.current.batchId],
  );
  assert.equal(state.settings.plan, shop.plan);
  assert.equal(state.staging?.id, shop.changeset?.id);
  assert.equal(viewTagOf(state), shop.tag);
  assert.equal(state.staging?.baseVersionId, shop.changeset?.baseVersionId);
  if (state.staging !== null) assert.deepEqual(plainOf(state.staging.config), shop.viewed);
  const newest = real.actor.audit({ limit: 2, cursor: null });
  assert.ok(newest.ok);
  assert.deepEqual(newest.value.entries.map(plainEntry), shop.audit.slice(-2).reverse());
  assertShadow(shop, real);
}

const plainEntry = ({ id: _, at: _at, ...entry }: AuditEntry): PlainEntry => entry;

/** Checks every entry of the audit, in pages. */
function assertAudit({ audit }: PlainShop, { actor }: RealShop): void {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const page = actor.audit({ limit: 3, cursor });
    assert.ok(page.ok);
    entries.push(...page.value.entries);
    cursor = page.value.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(entries.map(plainEntry), [...audit].reverse());
  const times = entries.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted().toReversed());
}

async function assertSinceWrite({ changeset }: PlainShop, real: RealShop): Promise<void> {
  const { evaluated = 0, lost = 0 } = (await real.sinceWrite()) ?? {};
  assert.deepEqual({ evaluated, lost }, changeset?.cartsSinceWrite ?? { evaluated: 0, lost: 0 });
}

function assertShadow({ changeset }: PlainShop, real: RealShop): void {
  const results = real.shadow();
  assert.equal(results === null, changeset === null);
  if (results === null || changeset === null) return;
  const { simulations, evaluated, dropped, lost, replayed } = results;
  const { carts } = changeset;
  assert.deepEqual(
    [simulations, evaluated, dropped, lost],
    [carts.evaluated, carts.evaluated, 0, carts.lost],
  );
  const { runs } = replayed;
  assert.deepEqual({ runs, evaluated: replayed.evaluated, lost: replayed.lost }, changeset.replayed);
}

class Send implements Command {
  readonly #intent: RequestIntent;
  readonly #headers: HeadersIntent;

  constructor(intent: RequestIntent, headers: HeadersIntent) {
    this.#intent = intent;
    this.#headers = headers;
  }

  check = () => true;

  async run(model: Model, real: RealShop): Promise<void> {
    const request = requestOf(this.#intent, model.shop);
    const headers = headersOf(this.#headers, model.shop);
    const key = real.newKey();
    const sent = await real.send(request, headers, key);
    settle(model, real, request, headers, sent);
    if (sent.ok) model.last = { request, headers, key, body: sent.value.answer.body };
    assertSame(model, real);
  }

  toString = () => `send ${JSON.stringify(this.#intent)} ${JSON.stringify(this.#headers)}`;
}

/** A promotion that races another request is forced: the gate judges before, and the other request may change that. */
const forced = (request: PlainRequest): PlainRequest =>
  request.kind === 'promoteStaging' ? { ...request, isForced: true } : request;

const guardedHeaders = ({ shop }: Model, isGuarded: boolean): PlainHeaders => ({
  ...{ batchId: null, by: 'admin' },
  ifMatch: isGuarded ? shop.tag : null,
});

/** Two clients with the same view of the shop send at the same time: one is first, and both answers must be right. */
class SendTogether implements Command {
  readonly #intents: readonly [RequestIntent, RequestIntent];
  readonly #isGuarded: boolean;

  /** `isGuarded`: both name what they saw. */
  constructor(intents: readonly [RequestIntent, RequestIntent], isGuarded: boolean) {
    this.#intents = intents;
    this.#isGuarded = isGuarded;
  }

  check = () => true;

  async run(model: Model, real: RealShop): Promise<void> {
    const headers = guardedHeaders(model, this.#isGuarded);
    const requests = this.#intents.map((intent) => forced(requestOf(withoutBulkIds(intent), model.shop)));
    const sent = await Promise.all(requests.map((request) => real.send(request, headers, real.newKey())));
    for (const [index, request] of requests.entries()) {
      const outcome = sent[index];
      assert.ok(outcome !== undefined);
      settle(model, real, request, headers, outcome);
    }
    assertSame(model, real);
  }

  toString = () => `send together ${JSON.stringify(this.#intents)}${this.#isGuarded ? ' guarded' : ''}`;
}

/** Another process writes; this process is notified, or detects it with its next write. */
class SendElsewhere implements Command {
  readonly #intent: RequestIntent;
  readonly #next: RequestIntent;
  readonly #isTold: boolean;
  readonly #isGuarded: boolean;

  /** `isGuarded`: both name what they saw. */
  constructor(intent: RequestIntent, next: RequestIntent, isTold: boolean, isGuarded: boolean) {
    this.#intent = intent;
    this.#next = next;
    this.#isTold = isTold;
    this.#isGuarded = isGuarded;
  }

  check = () => true;

  async run(model: Model, real: RealShop): Promise<void> {
    const headers = guardedHeaders(model, this.#isGuarded);
    const [request, next] = [this.#intent, this.#next].map((intent) =>
      forced(requestOf(withoutBulkIds(intent), model.shop)),
    );
    assert.ok(request !== undefined && next !== undefined);
    const sent = await real.sendElsewhere(request, headers, this.#isTold);
    if (!this.#isTold) {
      // Decided on what this process knows; then refused by the log and decided again, unless it was refused
      // at once, for which no log is asked.
      const early = model.shop.verdict(next, headers);
      const late = await real.send(next, headers, real.newKey());
      await real.actor.refresh();
      settle(model, real, request, headers, sent);
      if (late.ok || late.code !== early) settle(model, real, next, headers, late);
    } else settle(model, real, request, headers, sent);
    assertSame(model, real);
  }

  toString = () => `send elsewhere ${JSON.stringify(this.#intent)}, then ${JSON.stringify(this.#next)}`;
}

class Repeat implements Command {
  check = ({ last }: Readonly<Model>) => last !== null;

  async run(model: Model, real: RealShop): Promise<void> {
    const { last } = model;
    assert.ok(last !== null);
    const sent = await real.send(last.request, last.headers, last.key);
    assert.ok(sent.ok && sent.value.answer.replayed);
    assert.equal(sent.value.answer.body, last.body);
    assertSame(model, real);
  }

  toString = () => 'repeat';
}

const NOW_MS = Date.UTC(2026, 0, 7, 17);
const CARTS: readonly SimulateRequest[] = [
  { destination: { country: 'US' }, items: [{ quantity: 1, grams: 500, price: 2_000 }] },
  {
    destination: { country: 'US', postalCode: '99501' },
    items: [{ quantity: 1, grams: 500, price: 9_000, sku: 'HVY-1' }],
  },
  {
    destination: { country: 'FR' },
    items: [
      { quantity: 1, grams: 500, price: 2_000, sku: 'HVY-1' },
      { quantity: 1, grams: 500, price: 2_000 },
    ],
  },
];

/** What the reference evaluator offers the cart, live and in the changeset. */
function offerOf({ current, viewed }: PlainShop, cart: SimulateRequest): PlainOffer {
  const [live = 0, staged = 0] = [current.config, viewed].map((config) => {
    const settings = { currency: 'USD', timezone: 'UTC' };
    const result = referenceSimulate(config as unknown as ShopConfig, settings, cart, NOW_MS);
    assert.equal(result.status, 200);
    return result.status === 200 ? result.answer.rates.length : 0;
  });
  return { live, staged };
}

/** A client simulates a cart; a test counts nowhere. */
class Simulate implements Command {
  readonly #cart: SimulateRequest;
  readonly #isTest: boolean;

  constructor(cart: SimulateRequest, isTest: boolean) {
    this.#cart = cart;
    this.#isTest = isTest;
  }

  check = () => true;

  async run(model: Model, real: RealShop): Promise<void> {
    real.simulate(this.#cart, NOW_MS, this.#isTest);
    if (!this.#isTest) {
      totals.carts++;
      model.carts.push(this.#cart);
      model.shop.simulated(offerOf(model.shop, this.#cart));
    }
    assertShadow(model.shop, real);
    await assertSinceWrite(model.shop, real);
  }

  toString = () => `simulate ${JSON.stringify(this.#cart)}${this.#isTest ? ' as a test' : ''}`;
}

class Replay implements Command {
  check = ({ shop }: Readonly<Model>) => shop.changeset !== null;

  async run(model: Model, real: RealShop): Promise<void> {
    real.replay();
    model.shop.replayed(model.carts.map((cart) => offerOf(model.shop, cart)));
    assertShadow(model.shop, real);
    await assertSinceWrite(model.shop, real);
  }

  toString = () => 'replay';
}

class Restart implements Command {
  check = () => true;

  async run(model: Model, real: RealShop): Promise<void> {
    await real.restart();
    model.carts = [];
    await assertSinceWrite(model.shop, real);
    assertSame(model, real);
  }

  toString = () => 'restart';
}

type Named = { readonly id: string };
type Kept = Readonly<Record<string, readonly Named[]>>;

/** All records by kind, for a simple comparison of which records exist and which changed. */
function recordsOf(config: PlainConfig): Kept {
  const bare = <T extends object>(record: T, children: keyof T): T => ({ ...record, [children]: null });
  return {
    zone: config.zones.map((zone) => bare(zone, 'subzones')),
    subzone: config.zones.flatMap(({ subzones }) => subzones),
    productGroup: config.productGroups,
    method: config.methods.map((method) => bare(method, 'rules')),
    rule: config.methods.flatMap(({ rules }) => rules),
    blendedRate: config.blendedRates,
    check: config.checks,
  };
}

/** The records that are added, removed and modified by a simple comparison; it does not see moves. */
function assertComparison(from: PlainConfig, to: PlainConfig, comparison: Comparison): void {
  const [before, after] = [recordsOf(from), recordsOf(to)];
  const names = (entries: readonly { kind: string; id: string | null }[]) =>
    entries.map(({ kind, id }) => `${kind} ${id}`).sort();
  const idsOnlyIn = (one: Kept, other: Kept) =>
    Object.entries(one)
      .flatMap(([kind, records]) =>
        records
          .filter(({ id }) => !other[kind]?.some((record) => record.id === id))
          .map(({ id }) => `${kind} ${id}`),
      )
      .sort();
  assert.deepEqual(names(comparison.added), idsOnlyIn(after, before));
  assert.deepEqual(names(comparison.removed), idsOnlyIn(before, after));
  const changed = Object.entries(after).flatMap(([kind, records]) =>
    records
      .filter((record) => {
        const old = before[kind]?.find(({ id }) => id === record.id);
        return old !== undefined && JSON.stringify(sorted(old)) !== JSON.stringify(sorted(record));
      })
      .map(({ id }) => `${kind} ${id}`),
  );
  const modified = comparison.modified.filter(({ changes }) =>
    changes.some(({ field }) => field !== 'position'),
  );
  assert.deepEqual(names(modified), changed.sort());
}

const sorted = (record: object) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

/** Checks every version of the run: in the list, in pages, read and compared. */
function assertHistory({ shop }: Model, { actor }: RealShop): void {
  const { history } = actor;
  let before: PlainVersion | null = null;
  for (const version of shop.versions) {
    assert.equal(history.idOf(String(version.number)), version.id);
    const read = history.read(version.id);
    assert.ok(read.ok, version.id);
    const { version: found, config, diff } = read.value;
    assert.deepEqual(
      [found.number, found.createdBy, found.batchId],
      [version.number, version.createdBy, version.batchId],
    );
    assert.deepEqual(plainOf(config), version.config);
    if (before !== null) {
      assertComparison(before.config, version.config, diff);
      assert.deepEqual(found.changes, {
        added: diff.added.length,
        modified: diff.modified.length,
        removed: diff.removed.length,
      });
    }
    before = version;
  }
  assert.equal(history.idOf('live'), shop.current.id);
  assertStaged({ shop }, history);
  assertPages({ shop }, history);
}

/** Compares the changeset with the live version and with the first version. */
function assertStaged({ shop }: Pick<Model, 'shop'>, history: RealShop['actor']['history']): void {
  for (const version of [shop.current, shop.versions[0] ?? shop.current]) {
    const compared = history.compare(version.id, 'staged');
    if (shop.changeset === null) assert.equal(compared.ok ? 'compared' : compared.code, 'CONFLICT');
    else {
      assert.ok(compared.ok);
      assertComparison(version.config, shop.viewed, compared.value);
    }
  }
}

function assertPages({ shop }: Pick<Model, 'shop'>, history: RealShop['actor']['history']): void {
  const rows = shop.rows();
  for (const limit of [1, 3, 100]) {
    const listed: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = history.list({ limit, cursor, includeBatched: false });
      assert.ok(page.ok);
      for (const { number, batch } of page.value.versions) listed.push({ number, size: batch?.size });
      cursor = page.value.nextCursor;
      if (cursor !== null) assert.equal(cursor, rows[listed.length - 1]?.oldest);
    } while (cursor !== null);
    assert.deepEqual(
      listed,
      rows.map(({ number, size }) => ({ number, size })),
    );
  }
}

async function setUp(): Promise<{ model: Model; real: RealShop }> {
  const real = await RealShop.create(PLANS, 'wide', START);
  const page = real.actor.history.list({ limit: 2, cursor: null, includeBatched: true });
  assert.ok(page.ok);
  const [second, first] = page.value.versions;
  assert.ok(first !== undefined && second !== undefined);
  // A new shop has one default group and nothing else.
  const created = real.actor.history.read(first.id);
  assert.ok(created.ok);
  const { productGroups, ...rest } = plainOf(created.value.config);
  assert.deepEqual(rest, { zones: [], methods: [], blendedRates: [], checks: [] });
  assert.deepEqual(
    productGroups.map(({ name, isDefault }) => [name, isDefault]),
    [['Default', true]],
  );
  const empty = { ...rest, productGroups };
  const shop = new PlainShop(
    { id: first.id, number: 1, createdBy: 'system', batchId: null, config: empty },
    'wide',
    PLANS,
  );
  shop.versions.push({ id: second.id, number: 2, createdBy: 'import', batchId: null, config: START });
  for (const permission of ['admin', 'write'] as const)
    shop.addKey({ id: real.keyIdOf(permission), label: permission, permission }, null);
  return { model: { shop, carts: [], last: null }, real };
}

const commands = fc.commands(
  [
    fc.tuple(requestIntent, headersIntent).map(([intent, headers]) => new Send(intent, headers)),
    fc.tuple(requestIntent, headersIntent).map(([intent, headers]) => new Send(intent, headers)),
    fc.tuple(requestIntent, headersIntent).map(([intent, headers]) => new Send(intent, headers)),
    fc.tuple(requestIntent, headersIntent).map(([intent, headers]) => new Send(intent, headers)),
    fc
      .tuple(requestIntent, requestIntent, fc.boolean())
      .map(([one, other, isGuarded]) => new SendTogether([one, other], isGuarded)),
    fc
      .tuple(requestIntent, requestIntent, fc.boolean(), fc.boolean())
      .map((parts) => new SendElsewhere(...parts)),
    fc.constant(new Repeat()),
    fc.constant(new Restart()),
    fc.tuple(fc.constantFrom(...CARTS), fc.boolean()).map(([cart, isTest]) => new Simulate(cart, isTest)),
    fc.constantFrom(...CARTS).map((cart) => new Simulate(cart, false)),
    fc.constant(new Replay()),
  ],
  { maxCommands: COMMANDS_MAX, size: 'max' },
);

test(`in ${RUNS} runs the shop behaves like the plain model of the contract`, async (context) => {
  await fc.assert(
    fc.asyncProperty(commands, async (run) => {
      const { model, real } = await setUp();
      await fc.asyncModelRun(() => ({ model, real }), run);
      assertHistory(model, real);
      assertAudit(model.shop, real);
      await real.restart();
      assertSame(model, real);
      assertHistory(model, real);
      assertAudit(model.shop, real);
      totals.versions += model.shop.versions.length;
    }),
    { numRuns: RUNS, seed: SEED },
  );
  const { requests, refused, versions, carts, gated } = totals;
  context.diagnostic(
    `seed ${SEED}: ${requests} requests, ${refused} of them refused (${gated} promotions by the gate), ${versions} versions, ${carts} live carts`,
  );
  assert.ok(gated > 0);
});

test('the model shares no code with the program', () => {
  for (const name of ['plain-config', 'plain-writes', 'plain-shop']) {
    const imports = readText(`test/model/${name}.ts`).match(/from '([^']+)'/g) ?? [];
    assert.deepEqual(
      imports.filter((one) => !one.startsWith("from './plain-")),
      [],
      name,
    );
  }
});
