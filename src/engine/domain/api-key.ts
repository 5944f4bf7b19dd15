/** API keys: each gives a permission in one shop (contract section 2). Only the SHA-256 of a secret is stored. */
import Type, { type Static } from '#typebox';
import { PERMISSIONS } from './permission.ts';
import { Id, oneOf, strict } from './schema.ts';
import { Name } from './text.ts';

export const ApiKey = strict('ApiKey', {
  id: Id,
  label: Name,
  permission: oneOf(PERMISSIONS),
  /** The first characters of the secret, so that a person can tell keys apart. */
  prefix: Type.String({ maxLength: 16 }),
  /** SHA-256 of the secret in hex. */
  secretSha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** ISO time. */
  createdAt: Type.String(),
  /** ISO time from which the key is refused; absent for a key without an end. */
  expiresAt: Type.Optional(Type.String()),
});
export type ApiKey = Readonly<Static<typeof ApiKey>>;

/** Keys of a shop, as far as their labels are shown. */
export type LabelledKeys = readonly Pick<ApiKey, 'id' | 'label'>[];

/** The label of a key; null without a key, and when the key was revoked. */
export const keyLabelOf = (keyId: string | null, keys: LabelledKeys): string | null =>
  keys.find(({ id }) => id === keyId)?.label ?? null;

/** How far ahead the end of a key may be. */
export const KEY_YEARS_MAX = 5;
