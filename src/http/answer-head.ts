/**
 * The headers of a JSON answer as the value of one header: what is the same in every answer stands in a buffer,
 * and only the two ids are written behind it.
 */
import { Buffer } from 'node:buffer';
import { JSON_TYPE_AND_SAFETY } from './safety-headers.ts';

export const VERSION_HEADER = 'X-Config-Version';
export const REQUEST_ID_HEADER = 'X-Request-Id';

const BYTES_MAX = 1_024;
const FIXED_BYTES = JSON_TYPE_AND_SAFETY.length;

const bytes = Buffer.allocUnsafeSlow(BYTES_MAX);
bytes.write(JSON_TYPE_AND_SAFETY, 'latin1');
/** The buffer up to where the last answer's ids ended. Most are of one length. */
let head = bytes.subarray(0, 0);

/**
 * The value of Content-Type, with the other headers behind it; valid until the next call. Both ids were checked,
 * so neither can add a line or be long.
 */
export function answerHead(requestId: string, versionId: string): Buffer {
  const ids = `\r\n${VERSION_HEADER}: ${versionId}\r\n${REQUEST_ID_HEADER}: ${requestId}`;
  bytes.write(ids, FIXED_BYTES, 'latin1');
  const length = FIXED_BYTES + ids.length;
  if (head.length !== length) head = bytes.subarray(0, length);
  return head;
}
