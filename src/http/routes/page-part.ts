/**
 * The pages that come with the service: their routes, each a public GET without parameters, and their headers. A page
 * loads from and calls this host only, and no other page frames it.
 */
import Type from '#typebox';
import { type ContentType, POLICY_HEADER } from '../output.ts';
import type { PublicRoute } from '../route.ts';

interface PagePart {
  readonly name: string;
  readonly path: string;
  readonly type: ContentType;
  readonly summary: string;
  readonly handle: PublicRoute['handle'];
}

export const pagePartRoute = ({ path, ...part }: PagePart): PublicRoute => ({
  ...part,
  kind: 'public',
  verb: 'GET',
  paths: [path],
  tag: 'Operations',
  query: {},
  success: { status: 200, description: 'The text', schema: Type.String(), example: '' },
});

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
