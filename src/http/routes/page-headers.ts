/** Headers of the pages: they load and call nothing but this host, and no other page frames them. */
import { POLICY_HEADER } from '../output.ts';

/** Scripts and requests only to this host. Icons are images within a style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = [
  [POLICY_HEADER, POLICY],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;
