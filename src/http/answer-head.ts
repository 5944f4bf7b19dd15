/**
 * The headers of a JSON answer as the value of one header: what is the same in every answer stands in a buffer, the
 * version as well for as long as it stays, and only the id of the request is written behind it.
 */
import type { Buffer } from 'node:buffer';
import { latin1Buffer } from '../bytes/text-bytes.ts';
import { JSON_TYPE_AND_SAFETY } from './safety-headers.ts';

export const VERSION_HEADER = 'X-Config-Version';
export const REQUEST_ID_HEADER = 'X-Request-Id';

const BYTES_MAX = 1_024;
const VERSION_START = `${JSON_TYPE_AND_SAFETY}\r\n${VERSION_HEADER}: `;
const REQUEST_ID_START = `\r\n${REQUEST_ID_HEADER}: `;

const bytes = latin1Buffer(BYTES_MAX);
let lastVersionId: string | null = null;
/** Where the id of the request begins. */
let start = 0;
/** The buffer up to where the last answer's id ended. Most are of one length. */
let head = bytes.subarray(0, 0);

/**
 * The value of Content-Type, with the other headers behind it; valid until the next call. Both ids were checked,
 * so neither can add a line or be long.
 */
export function answerHead(requestId: string, versionId: string): Buffer {
  if (versionId !== lastVersionId) {
    start = bytes.latin1Write(`${VERSION_START}${versionId}${REQUEST_ID_START}`, 0, BYTES_MAX);
    lastVersionId = versionId;
  }
  const end = start + bytes.latin1Write(requestId, start, requestId.length);
  if (head.length !== end) head = bytes.subarray(0, end);
  return head;
}
