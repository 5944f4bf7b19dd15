/** Secrets of API keys: how they are made, and the parts that may be stored (contract section 2). */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_START = 'rw_';
const SECRET_BYTES = 32;
/** Length of the prefix that lists show to distinguish keys: less than a quarter of the secret. */
const PREFIX_LENGTH_MAX = 9;

/** A new secret: 256 random bits, 46 characters of `[A-Za-z0-9_-]`. */
export const newKeySecret = (): string => SECRET_START + randomBytes(SECRET_BYTES).toString('base64url');

export const secretDigest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** What the log stores of a secret. */
export const printOf = (secret: string) => ({
  prefix: secret.slice(0, Math.min(PREFIX_LENGTH_MAX, secret.length / 4)),
  secretSha256: secretDigest(secret).toString('hex'),
});
