/** Bytes in shared memory: another thread reads them in place, without a copy. */
export type SharedBytes = Uint8Array<SharedArrayBuffer>;
