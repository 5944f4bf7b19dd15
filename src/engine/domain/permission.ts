/** Permissions of a key. */
import { type Failure, failure } from './failure.ts';

/** Weakest first: each permission includes the permissions before it (contract sections 2 and 12.3). */
export const PERMISSIONS = ['simulate', 'read', 'write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const permits = (held: Permission, needed: Permission): boolean =>
  PERMISSIONS.indexOf(held) >= PERMISSIONS.indexOf(needed);

/** The refusal of a key without this permission, else null. `what` is what needs it. */
export const findMissingPermission = (
  key: { readonly permission: Permission },
  needed: Permission,
  what = 'this',
): Failure | null =>
  permits(key.permission, needed)
    ? null
    : failure(
        'FORBIDDEN',
        `${what} needs an API key with the permission ${needed}; this one has ${key.permission}`,
      );
