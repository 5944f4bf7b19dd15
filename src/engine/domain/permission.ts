/** Permissions of a key. */

/** Weakest first: each permission includes the permissions before it (contract sections 2 and 12.3). */
export const PERMISSIONS = ['simulate', 'read', 'write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const permits = (held: Permission, needed: Permission): boolean =>
  PERMISSIONS.indexOf(held) >= PERMISSIONS.indexOf(needed);
