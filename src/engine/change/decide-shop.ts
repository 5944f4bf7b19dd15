/** Writes of the shop settings and of API keys: each makes a log record; only shop creation makes a version. */

import { extended } from '../../base/runtime/extended.ts';
import { type ApiKey, KEY_YEARS_MAX } from '../domain/api-key.ts';
import { isDate } from '../domain/calendar-day.ts';
import { isCurrency } from '../domain/currency.ts';
import { FULFILMENT_DEFAULT } from '../domain/delivery.ts';
import { conflict, type Failure, invalid, notFound, type Outcome, success } from '../domain/failure.ts';
import { idsFromSeed, versionIdOf } from '../domain/id.ts';
import { ISO_TIME_ACCEPTS, parseIsoTime } from '../domain/iso-time.ts';
import { permits } from '../domain/permission.ts';
import type { PlanTable } from '../domain/plan.ts';
import { DEFAULT_GROUP_NAME } from '../domain/product-group.ts';
import { NEW_SHOP_GATE } from '../domain/promotion-gate.ts';
import { isTimeZone, ShopSettings } from '../domain/shop.ts';
import {
  type PlacedConfig,
  type PlacedGroup,
  type ShopEvent,
  type ShopState,
  storedOfConfig,
} from '../domain/shop-event.ts';
import { compileSchema } from '../wire/schema-check.ts';
import { applyEvent } from './apply.ts';
import {
  keyChangedNote,
  keyCreatedNote,
  keyRevokedNote,
  settingsNote,
  shopifySecretNote,
} from './audit-notes.ts';
import type { CommandOf, Decision, DecisionContext } from './command.ts';
import { readGroup } from './record-input.ts';

export const EMPTY_CONFIG: PlacedConfig = {
  zones: [],
  productGroups: [],
  methods: [],
  blendedRates: [],
  checks: [],
};

/** The group that is added to a configuration without a default group. */
export function defaultGroup(id: string, placement: number): PlacedGroup {
  const fields = readGroup(id, { name: DEFAULT_GROUP_NAME, isDefault: true }, () => {});
  return extended(fields, { placement });
}

const settingsCheck = compileSchema(ShopSettings);

/**
 * The first defect of the settings, or null. This also checks the schema, because settings also come from the command
 * line.
 */
function settingsDefect(settings: ShopSettings): Failure | null {
  if (!settingsCheck.check(settings)) return settingsCheck.failure(settings);
  if (!isCurrency(settings.currency)) {
    return invalid(`/currency must be an ISO 4217 currency code: ${settings.currency} is not one`);
  }
  if (!isTimeZone(settings.timezone)) {
    return invalid(`/timezone must be an IANA time zone: ${settings.timezone} is not one`);
  }
  const holidays = settings.fulfilment?.holidays ?? [];
  const noDate = holidays.findIndex((holiday) => !isDate(holiday));
  if (noDate < 0) return null;
  const why = `must be a date as YYYY-MM-DD: ${holidays[noDate]} is not one`;
  return invalid(`/fulfilment/holidays/${noDate} ${why}`);
}

/** Checked only when a plan is chosen: a shop may stay on a plan that the operator removed from the table. */
const planDefect = (plan: string, plans: PlanTable): Failure | null =>
  Object.hasOwn(plans, plan) ? null : invalid(`/plan must be one of ${Object.keys(plans).join(', ')}`);

const decided = (state: ShopState | null, event: ShopEvent, result: Decision['result']): Outcome<Decision> =>
  success({ events: [event], state: applyEvent(state, event), result });

/** Creates a shop with one group, `Default`, version 1, and the gate of new shops if it names none. */
export function createShop(
  { settings: wanted }: CommandOf<'createShop'>,
  context: DecisionContext,
): Outcome<Decision> {
  const ids = () => idsFromSeed(context.seed);
  const { id = ids().next('shop'), name, currency, timezone, plan, promotionGate = NEW_SHOP_GATE } = wanted;
  const fields = { id, name, currency, timezone, plan };
  const settings: ShopSettings = promotionGate === null ? fields : { ...fields, promotionGate };
  const defect = settingsDefect(settings) ?? planDefect(settings.plan, context.plans);
  if (defect !== null) return defect;
  const number = 1;
  const config = { ...EMPTY_CONFIG, productGroups: [defaultGroup(ids().next('productGroup'), number)] };
  const version = {
    id: versionIdOf(ids(), number),
    number,
    createdAt: context.now,
    createdBy: 'system' as const,
    keyId: context.keyId,
    description: `Shop "${settings.name}" created`,
    batchId: context.batchId,
    changes: { added: 1, modified: 0, removed: 0 },
  };
  const event: ShopEvent = { kind: 'shopCreated', settings, config: storedOfConfig(config), version };
  return decided(null, event, { kind: 'shop', settings });
}

function changeSettings(
  state: ShopState,
  context: DecisionContext,
  action: Parameters<typeof settingsNote>[2],
  settings: ShopSettings,
): Outcome<Decision> {
  const defect = settingsDefect(settings);
  if (defect !== null) return defect;
  const audit = settingsNote(state, context, action, settings);
  const event: ShopEvent = { kind: 'settingsChanged', settings, ...(audit && { audit }) };
  return decided(state, event, { kind: 'shop', settings });
}

export function updateShop(
  state: ShopState,
  { body }: CommandOf<'updateShop'>,
  context: DecisionContext,
): Outcome<Decision> {
  // A body may also hold fields that it cannot change.
  const { id, plan } = state.settings;
  const { name, currency, timezone, promotionGate, fulfilment, directWrites } = {
    ...state.settings,
    ...body,
  };
  const settings = { id, name, currency, timezone, plan };
  return changeSettings(state, context, 'settings_changed', {
    ...settings,
    ...(promotionGate == null ? {} : { promotionGate }),
    ...(fulfilment == null ? {} : { fulfilment: { ...FULFILMENT_DEFAULT, ...fulfilment } }),
    ...(directWrites === false && { directWrites }),
  });
}

/** A smaller plan deletes nothing: records above its limits stay, but their number can no longer grow. */
export const setPlan = (
  state: ShopState,
  { plan }: CommandOf<'setPlan'>,
  context: DecisionContext,
): Outcome<Decision> =>
  planDefect(plan, context.plans) ??
  changeSettings(state, context, 'plan_changed', { ...state.settings, plan });

export const setShopifySecret = (
  state: ShopState,
  { sealed }: CommandOf<'setShopifySecret'>,
  context: DecisionContext,
): Outcome<Decision> =>
  decided(
    state,
    { kind: 'shopifySecretSet', sealed, audit: shopifySecretNote(state, context, sealed !== null) },
    { kind: 'shop', settings: state.settings },
  );

/** The end of a key in UTC, null for none; a refusal of a text that is no time, or of one too far ahead. */
function readEnd(expiresAt: string | null, now: string): Outcome<string | null> {
  if (expiresAt === null) return success(null);
  const atMs = parseIsoTime(expiresAt);
  if (atMs === null) return invalid(`/expiresAt must be null or ${ISO_TIME_ACCEPTS}`);
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + KEY_YEARS_MAX);
  return atMs <= latest.getTime()
    ? success(new Date(atMs).toISOString())
    : invalid(
        `/expiresAt must be at most ${KEY_YEARS_MAX} years ahead: null or a time up to ${latest.toISOString()}`,
      );
}

export function createKey(
  state: ShopState,
  { label, permission, prefix, secretSha256, expiresAt = null }: CommandOf<'createKey'>,
  context: DecisionContext,
): Outcome<Decision> {
  const end = readEnd(expiresAt, context.now);
  if (!end.ok) return end;
  const id = idsFromSeed(context.seed).next('key');
  const made = { id, label, permission, prefix, secretSha256, createdAt: context.now };
  const key = end.value === null ? made : { ...made, expiresAt: end.value };
  const event: ShopEvent = { kind: 'keyCreated', key, audit: keyCreatedNote(state, context, key) };
  return decided(state, event, { kind: 'key', key });
}

/**
 * True when the shop would be without an admin key if this one were gone. A key with an end takes the place of another one
 * with an end until it has expired, and never that of a key without one.
 */
const isLastAdmin = (keys: readonly ApiKey[], key: ApiKey, now: string): boolean =>
  permits(key.permission, 'admin') &&
  !keys.some(
    ({ id, permission, expiresAt }) =>
      id !== key.id &&
      permits(permission, 'admin') &&
      (expiresAt === undefined || (key.expiresAt !== undefined && expiresAt > now)),
  );

export function updateKey(
  state: ShopState,
  { id, body }: CommandOf<'updateKey'>,
  context: DecisionContext,
): Outcome<Decision> {
  const key = state.keys.find((candidate) => candidate.id === id);
  if (key === undefined) return notFound('key', id);
  const { label = key.label, expiresAt = key.expiresAt ?? null, permission = key.permission } = body;
  if (permission !== key.permission)
    return invalid(`/permission must be ${key.permission} or absent: make another key`);
  const end = body.expiresAt === undefined ? success(expiresAt) : readEnd(expiresAt, context.now);
  if (!end.ok) return end;
  if (key.expiresAt === undefined && end.value !== null && isLastAdmin(state.keys, key, context.now)) {
    return conflict(`API key "${key.label}" is the last admin key without an end and cannot be given one`);
  }
  const { expiresAt: _earlier, ...rest } = key;
  const changed = { ...rest, label, ...(end.value !== null && { expiresAt: end.value }) };
  const audit = keyChangedNote(state, context, key, changed);
  const fields = { keyId: id, label, expiresAt: end.value };
  const event: ShopEvent = { kind: 'keyChanged', ...fields, ...(audit && { audit }) };
  return decided(state, event, { kind: 'key', key: changed });
}

export function revokeKey(
  state: ShopState,
  { id }: CommandOf<'revokeKey'>,
  context: DecisionContext,
): Outcome<Decision> {
  const key = state.keys.find((candidate) => candidate.id === id);
  if (key === undefined) return notFound('key', id);
  if (isLastAdmin(state.keys, key, context.now)) {
    const which = key.expiresAt === undefined ? 'the last admin key without an end' : 'the last admin key';
    return conflict(`API key "${key.label}" is ${which} and cannot be deleted`);
  }
  const event: ShopEvent = { kind: 'keyRevoked', keyId: id, audit: keyRevokedNote(state, context, key) };
  return decided(state, event, { kind: 'deleted', id });
}
