/** Writes of shop settings, plans and keys (contract section 2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionContext, NewShop } from '../../../src/engine/change/command.ts';
import { decide } from '../../../src/engine/change/decide.ts';
import { FULFILMENT_DEFAULT, type FulfilmentInput } from '../../../src/engine/domain/delivery.ts';
import type { Permission } from '../../../src/engine/domain/permission.ts';
import { TimeZone } from '../../../src/engine/domain/shop.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { PLANS, shopWithZones, TrialShop } from './trial-shop.ts';

const CONTEXT: DecisionContext = {
  now: '2026-03-01T00:00:00.000Z',
  seed: '01JSEED',
  keyId: null,
  batchId: null,
  plans: PLANS,
  findVersion: () => null,
};

const create = (settings: Partial<NewShop>) =>
  decide(
    null,
    {
      kind: 'createShop',
      settings: { name: 'Demo', currency: 'USD', timezone: 'UTC', plan: 'pro', ...settings },
    },
    CONTEXT,
  );

const keyCommand = (permission: Permission, label = permission) =>
  ({ kind: 'createKey', label, permission, prefix: 'rw_abc', secretSha256: 'ab'.repeat(32) }) as const;

const addKey = (shop: TrialShop, permission: Permission) => shop.resultOf('key', keyCommand(permission)).key;

test('a new shop has its settings, one default group, no key and version 1 by the system', () => {
  const outcome = create({});
  assert.ok(outcome.ok);
  const fields = { id: 'shop_01JSEED', name: 'Demo', currency: 'USD', timezone: 'UTC', plan: 'pro' };
  const settings = { ...fields, promotionGate: { checksPass: true } };
  const { state, result, events } = outcome.value;
  assert.deepEqual(result, { kind: 'shop', settings });
  assert.deepEqual(state, {
    settings,
    keys: [],
    config: {
      zones: [],
      productGroups: [
        {
          id: 'group_01JSEED',
          name: 'Default',
          isDefault: true,
          variantIds: [],
          productIds: [],
          skus: [],
          tags: [],
          vendors: [],
          placement: 1,
        },
      ],
      methods: [],
      blendedRates: [],
      checks: [],
    },
    version: {
      id: 'version_01JSEED_1',
      number: 1,
      createdAt: CONTEXT.now,
      createdBy: 'system',
      keyId: null,
      description: 'Shop "Demo" created',
      batchId: null,
      changes: { added: 1, modified: 0, removed: 0 },
    },
    staging: null,
  });
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['shopCreated'],
  );
});

test('a shop may be given its id', () => {
  const outcome = create({ id: 'shop_demo' });
  assert.equal(outcome.ok && outcome.value.state.settings.id, 'shop_demo');
});

test('a new shop has the gate that is named, or none for null', () => {
  const gateOf = (promotionGate: NonNullable<NewShop['promotionGate']> | null) => {
    const outcome = create({ promotionGate });
    return outcome.ok ? outcome.value.state.settings.promotionGate : outcome;
  };
  assert.deepEqual(gateOf({ evaluatedMin: 5 }), { evaluatedMin: 5 });
  assert.equal(gateOf(null), undefined);
});

test('invalid settings are refused by their path', () => {
  const bad: readonly [Partial<NewShop>, string][] = [
    [{ name: '' }, '/name must be text'],
    [{ name: 'a\u0000b' }, '/name must be text'],
    [{ id: 'a b' }, '/id must be an id'],
    [{ currency: 'usd' }, '/currency must be an ISO 4217'],
    [{ currency: 'QQQ' }, '/currency must be an ISO 4217'],
    [{ timezone: 'Mars/Olympus' }, '/timezone must be an IANA time zone'],
    [{ plan: 'gold' }, '/plan must be one of starter, pro, enterprise'],
    [{ plan: 'constructor' }, '/plan must be one of'],
  ];
  for (const [settings, message] of bad) {
    const outcome = create(settings);
    assert.ok(!outcome.ok);
    assert.equal(outcome.code, 'VALIDATION_ERROR');
    assert.ok(outcome.message.startsWith(message), outcome.message);
  }
});

test('an offset is refused as a time zone even if the engine accepts it', () => {
  const { check } = compileSchema(TimeZone);
  for (const offset of ['+0530', '-0530', '+05']) {
    assert.equal(check(offset), false);
    assert.equal(create({ timezone: offset }).ok, false);
  }
  for (const zone of [...Intl.supportedValuesOf('timeZone'), 'Etc/GMT+5', 'EST5EDT']) {
    assert.ok(create({ timezone: zone }).ok, zone);
  }
});

test('a shop is created once, and no command is accepted before', () => {
  const shop = new TrialShop();
  const settings = { name: 'Again', currency: 'USD', timezone: 'UTC', plan: 'pro' };
  shop.refuse({ kind: 'createShop', settings }, 'CONFLICT');
  const outcome = decide(null, { kind: 'deleteRule', id: 'rule_x' }, CONTEXT);
  assert.equal(!outcome.ok && outcome.code, 'NOT_FOUND');
});

test('a PUT of the shop changes only the given fields and makes no version', () => {
  const shop = new TrialShop();
  const { version, settings: before } = shop.state;
  const body = { timezone: 'America/New_York', id: 'shop_other', plan: 'starter', limits: {}, usage: {} };
  const { settings } = shop.resultOf('shop', { kind: 'updateShop', body });
  assert.deepEqual(settings, { ...before, timezone: 'America/New_York' });
  assert.deepEqual(shop.state.settings, settings);
  assert.equal(shop.state.version, version);
  shop.refuse({ kind: 'updateShop', body: { currency: 'QQQ' } }, 'VALIDATION_ERROR', '/currency ');
  shop.refuse({ kind: 'updateShop', body: { timezone: 'Mars/Olympus' } }, 'VALIDATION_ERROR', '/timezone ');
});

test('a plan is set by name, and only one of the table', () => {
  const shop = new TrialShop();
  assert.equal(shop.resultOf('shop', { kind: 'setPlan', plan: 'starter' }).settings.plan, 'starter');
  shop.refuse({ kind: 'setPlan', plan: 'gold' }, 'VALIDATION_ERROR', '/plan ', 'starter, pro, enterprise');
});

test('a shop on a plan that the operator took out of the table can still be changed', () => {
  const shop = new TrialShop('pro');
  const { pro: _gone, ...plans } = PLANS;
  shop.context = { plans };
  const { settings } = shop.resultOf('shop', { kind: 'updateShop', body: { name: 'New name' } });
  assert.deepEqual([settings.name, settings.plan], ['New name', 'pro']);
  shop.refuse({ kind: 'setPlan', plan: 'pro' }, 'VALIDATION_ERROR', '/plan ');
});

test('a key is kept by its digest, makes no version and can be revoked', () => {
  const shop = new TrialShop();
  const { version } = shop.state;
  const key = addKey(shop, 'read');
  assert.match(key.id, /^key_/);
  assert.deepEqual(Object.keys(key).sort(), [
    'createdAt',
    'id',
    'label',
    'permission',
    'prefix',
    'secretSha256',
  ]);
  assert.deepEqual(shop.state.keys, [key]);
  assert.deepEqual(shop.accept({ kind: 'revokeKey', id: key.id }).result, { kind: 'deleted', id: key.id });
  assert.deepEqual(shop.state.keys, []);
  assert.equal(shop.state.version, version);
  shop.refuse({ kind: 'revokeKey', id: key.id }, 'NOT_FOUND', `API key not found: ${key.id}`);
});

test('the last admin key cannot be deleted, whatever other keys there are', () => {
  const shop = new TrialShop();
  const [first, second] = [addKey(shop, 'admin'), addKey(shop, 'admin')];
  const other = addKey(shop, 'write');
  shop.accept({ kind: 'revokeKey', id: first.id });
  shop.refuse({ kind: 'revokeKey', id: second.id }, 'CONFLICT', 'last admin key');
  shop.accept({ kind: 'revokeKey', id: other.id });
});

const END = '2026-04-01T00:00:00.000Z';
const PAST = '2026-02-01T00:00:00.000Z';
/** A shop whose writes are all made between the two. */
function keyShop(): TrialShop {
  const shop = new TrialShop();
  shop.context = { now: '2026-03-01T00:00:00.000Z' };
  return shop;
}
const endKey = (id: string, expiresAt: string | null) =>
  ({ kind: 'updateKey', id, body: { expiresAt } }) as const;

test('a key may have an end, kept in UTC, and lose it again; no version is made', () => {
  const shop = keyShop();
  const { version } = shop.state;
  const made = shop.resultOf('key', { ...keyCommand('read'), expiresAt: '2026-04-01T02:00:00+02:00' }).key;
  assert.equal(made.expiresAt, END);
  const changed = shop.resultOf('key', { kind: 'updateKey', id: made.id, body: { label: 'Till' } }).key;
  assert.deepEqual(changed, { ...made, label: 'Till' });
  const { expiresAt: _, ...endless } = changed;
  assert.deepEqual(shop.resultOf('key', endKey(made.id, null)).key, endless);
  assert.deepEqual(shop.resultOf('key', endKey(made.id, PAST)).key, { ...endless, expiresAt: PAST });
  assert.equal(shop.state.version, version);
  shop.refuse(endKey('key_none', null), 'NOT_FOUND', 'API key not found: key_none');
});

test('a key keeps its permission: it may be sent back, another one is refused', () => {
  const shop = keyShop();
  const { id } = addKey(shop, 'write');
  const update = (permission: Permission) =>
    ({ kind: 'updateKey', id, body: { label: 'Till', permission } }) as const;
  assert.equal(shop.resultOf('key', update('write')).key.label, 'Till');
  shop.refuse(update('read'), 'VALIDATION_ERROR', '/permission must be write or absent: make another key');
});

test('the end of a key is a time that exists, at most five years ahead', () => {
  const shop = keyShop();
  const { id } = addKey(shop, 'read');
  const latest = new Date('2031-03-01T00:00:00.000Z');
  shop.accept(endKey(id, latest.toISOString()));
  const later = new Date(latest.getTime() + 1).toISOString();
  shop.refuse(endKey(id, later), 'VALIDATION_ERROR', `/expiresAt must be at most 5 years ahead`);
  shop.refuse(endKey(id, '2026-02-30T00:00:00Z'), 'VALIDATION_ERROR', '/expiresAt must be null or an ISO');
  const command = { ...keyCommand('read'), expiresAt: later };
  shop.refuse(command, 'VALIDATION_ERROR', latest.toISOString());
});

test('a shop keeps an admin key without an end, and one without that an admin key that has not expired', () => {
  const shop = keyShop();
  const [first, second] = [addKey(shop, 'admin'), addKey(shop, 'admin')];
  shop.accept(endKey(first.id, END));
  shop.refuse(endKey(second.id, END), 'CONFLICT', 'last admin key without an end and cannot be given one');
  shop.refuse({ kind: 'revokeKey', id: second.id }, 'CONFLICT', 'last admin key without an end');
  shop.accept(endKey(first.id, PAST));
  shop.accept({ kind: 'revokeKey', id: first.id });

  // Made on the command line: all admin keys have an end.
  const ending = keyShop();
  const make = (expiresAt: string) => ending.resultOf('key', { ...keyCommand('admin'), expiresAt }).key;
  const [long, expired, short] = [make('2027-01-01T00:00:00Z'), make(PAST), make(END)];
  ending.accept({ kind: 'revokeKey', id: short.id });
  ending.refuse({ kind: 'revokeKey', id: long.id }, 'CONFLICT', '"admin" is the last admin key and cannot');
  ending.accept(endKey(long.id, END));
  ending.accept({ kind: 'revokeKey', id: expired.id });
});

test('keys count against the plan', () => {
  const shop = new TrialShop('starter');
  addKey(shop, 'admin');
  addKey(shop, 'read');
  shop.refuse(keyCommand('read'), 'PLAN_LIMIT_EXCEEDED', 'starter', '2 keys');
});

test('configuration writes do not change settings and keys', () => {
  const shop = shopWithZones();
  addKey(shop, 'admin');
  const { keys, settings } = shop.state;
  shop.createMethod();
  assert.equal(shop.state.keys, keys);
  assert.equal(shop.state.settings, settings);
});

test("a shop's Shopify secret is kept as it was sealed, makes no version and can be taken away", () => {
  const shop = new TrialShop();
  const before = shop.state;
  shop.accept({ kind: 'setShopifySecret', sealed: 'v1.a' });
  shop.accept({ kind: 'setShopifySecret', sealed: 'v1.b' });
  assert.equal(shop.state.shopifySecret, 'v1.b');
  assert.equal(shop.state.version, before.version);
  shop.accept({ kind: 'setShopifySecret', sealed: null });
  assert.deepEqual(shop.state, before);
});

test('a fulfilment is stored whole with its defaults, and null removes it', () => {
  const shop = shopWithZones();
  const set = (fulfilment: FulfilmentInput | null) => ({ kind: 'updateShop' as const, body: { fulfilment } });
  shop.accept(set({ cutoff: '14:00', holidays: ['2026-12-25'] }));
  assert.deepEqual(shop.state.settings.fulfilment, {
    ...FULFILMENT_DEFAULT,
    cutoff: '14:00',
    holidays: ['2026-12-25'],
  });
  shop.accept({ kind: 'updateShop', body: { name: 'Renamed' } });
  assert.equal(shop.state.settings.fulfilment?.cutoff, '14:00');
  shop.accept(set({ handlingDays: 2 }));
  assert.deepEqual(shop.state.settings.fulfilment, { ...FULFILMENT_DEFAULT, handlingDays: 2 });
  shop.accept(set({ cutoffByDay: { friday: '12:00' } }));
  assert.deepEqual(shop.state.settings.fulfilment, {
    ...FULFILMENT_DEFAULT,
    cutoffByDay: { friday: '12:00' },
  });
  shop.accept(set({ cutoff: '14:00' }));
  assert.deepEqual(shop.state.settings.fulfilment, { ...FULFILMENT_DEFAULT, cutoff: '14:00' });
  shop.accept(set(null));
  assert.ok(!('fulfilment' in shop.state.settings));
});

test('a holiday that is no date, a day twice and a time that does not exist are refused', () => {
  const shop = shopWithZones();
  const refuse = (fulfilment: FulfilmentInput, path: string) =>
    shop.refuse({ kind: 'updateShop', body: { fulfilment } }, 'VALIDATION_ERROR', path);
  refuse({ holidays: ['2026-12-25', '2026-02-30'] }, '/fulfilment/holidays/1 ');
  refuse({ workingDays: ['monday', 'monday'] }, '/fulfilment/workingDays');
  refuse({ cutoff: '24:00' }, '/fulfilment/cutoff');
  refuse({ cutoffByDay: { friday: '12' } }, '/fulfilment/cutoffByDay/friday ');
  refuse({ cutoffByDay: { fri: '12:00' } as object }, '/fulfilment/cutoffByDay/fri ');
  refuse({ handlingDays: 61 }, '/fulfilment/handlingDays');
});
