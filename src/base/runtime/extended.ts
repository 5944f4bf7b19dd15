/**
 * A copy of an object with further fields, like `{ ...record, ...more }`; for objects that are made often.
 *
 * Node 20 creates a new hidden class for each object literal that starts with a spread and adds a field. Measured with
 * eight fields: 1.7 us instead of 1.1, and 320 bytes that only a collection of the old heap frees. During writes, these
 * were most of the bytes that each collection of the young generation had to move. Later versions of Node do not need
 * this.
 */
export const extended = <T extends object, E extends object>(record: T, more: E): T & E =>
  Object.assign({}, record, more);
