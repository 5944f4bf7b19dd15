/** A key that nothing else has: 32 hexadecimal digits. */
// `crypto.randomUUID` exists on secure origins only, and the page may be read over plain HTTP within a network.
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
