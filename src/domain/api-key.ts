/** API keys: who may do what in one shop. The secret itself is never held, only its SHA-256. */
import Type, { type Static } from 'typebox';
import { Id } from './id.ts';
import { Name } from './text.ts';

/** Weakest first: each permission includes those before it (contract section 2). */
export const PERMISSIONS = ['read', 'write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const permits = (held: Permission, needed: Permission): boolean =>
  PERMISSIONS.indexOf(held) >= PERMISSIONS.indexOf(needed);

export const ApiKey = Type.Object(
  {
    id: Id,
    label: Name,
    permission: Type.Enum([...PERMISSIONS], { 'x-accepts': `one of ${PERMISSIONS.join(', ')}` }),
    /** The first characters of the secret, so that a person can tell keys apart. */
    prefix: Type.String({ maxLength: 16 }),
    /** SHA-256 of the secret in hex. */
    secretSha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** ISO time. */
    createdAt: Type.String(),
  },
  { additionalProperties: false, title: 'ApiKey' },
);
export type ApiKey = Readonly<Static<typeof ApiKey>>;
