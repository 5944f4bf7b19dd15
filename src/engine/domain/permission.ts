/** Permissions of a key. */

/** Weakest first: each permission includes the permissions before it (contract section 2). */
export const PERMISSIONS = ['read', 'write', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const permits = (held: Permission, needed: Permission): boolean =>
  PERMISSIONS.indexOf(held) >= PERMISSIONS.indexOf(needed);
