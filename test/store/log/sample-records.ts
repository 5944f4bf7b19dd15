/** Small valid records, identified by a mark. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ApiKey } from '../../../src/engine/domain/api-key.ts';
import type { Permission } from '../../../src/engine/domain/permission.ts';
import { shopImageData } from '../../../src/engine/domain/shop-event.ts';
import type { NewRecord, StoredAnswer } from '../../../src/store/log/event-log.ts';

export const START_MS = Date.UTC(2026, 0, 1);

/** A change of settings with `mark` in the name, which the audit tells of. */
export const settingsRecord = (mark: number | string, atMs = START_MS): NewRecord => ({
  atMs,
  event: {
    kind: 'settingsChanged',
    settings: { id: 'shop_x', name: `Shop ${mark}`, currency: 'USD', timezone: 'Etc/UTC', plan: 'starter' },
    audit: {
      keyId: null,
      keyLabel: 'operator',
      action: 'settings_changed',
      subject: { kind: 'shop', id: 'shop_x', name: 'Shop' },
      before: { name: 'Before' },
      after: { name: 'After' },
    },
  },
});

/** The mark of a record made by `settingsRecord`. */
export function markOf({ event }: NewRecord): string {
  return event.kind === 'settingsChanged' ? event.settings.name.slice('Shop '.length) : event.kind;
}

/** Numbers of the records. */
export const numbersOf = (records: Iterable<{ readonly sequenceNumber: number }>): number[] =>
  Array.from(records, ({ sequenceNumber }) => sequenceNumber);

export const answerFor = (idempotencyKey: string, body: string): StoredAnswer => ({
  idempotencyKey,
  requestDigest: `digest of ${body}`,
  status: 201,
  body,
});

export const answeredRecord = (mark: number | string, idempotencyKey: string, atMs: number): NewRecord => ({
  ...settingsRecord(mark, atMs),
  answer: answerFor(idempotencyKey, `answer ${mark}`),
});

export const sha256Of = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const keyRecord = (id: string, secret: string, permission: Permission = 'write'): NewRecord => ({
  atMs: START_MS,
  event: {
    kind: 'keyCreated',
    key: {
      id,
      label: `Key ${id}`,
      permission,
      prefix: secret.slice(0, 8),
      secretSha256: sha256Of(secret).toString('hex'),
      createdAt: new Date(START_MS).toISOString(),
    },
  },
});

export const revokeRecord = (keyId: string): NewRecord => ({
  atMs: START_MS,
  event: { kind: 'keyRevoked', keyId },
});

/** A write that makes this version and changes nothing in the configuration. */
export const versionRecord = (number: number, batchId: string | null = null, atMs = START_MS): NewRecord => ({
  atMs,
  event: {
    kind: 'configChanged',
    change: {},
    version: {
      id: `version_${number}`,
      number,
      createdAt: new Date(atMs).toISOString(),
      createdBy: 'user',
      keyId: null,
      description: `Write ${number}`,
      batchId,
      changes: { added: 0, modified: 0, removed: 0 },
    },
  },
});

/** The image of a shop with these keys; its other fields have no effect on tests. */
export function imageWith(id: string, keys: readonly ApiKey[]): string {
  const { event } = versionRecord(1);
  const settings = { id, name: 'A', currency: 'USD', timezone: 'UTC', plan: 'starter' };
  const config = { zones: [], productGroups: [], methods: [], blendedRates: [], checks: [] };
  assert.ok('version' in event);
  return JSON.stringify(shopImageData({ settings, keys, config, version: event.version, staging: null }));
}
