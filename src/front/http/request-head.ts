/**
 * The head of a request: verb, path, query and the headers that the server uses. They are read in one pass over all
 * headers, because only that shows a header that was given twice.
 *
 * Framing guard: the parser of the library uses the first of two lengths, and takes any transfer coding for `chunked`. A
 * proxy may read such a request differently and so see other requests in the same bytes. It is refused, and its
 * connection closed.
 */
import { invalid, type Outcome, success } from '../../engine/domain/failure.ts';
import { parseTags } from './entity-tag.ts';
import type { HttpRequest } from './uws.ts';

/** Header values are unchanged; "" when absent. */
export class RequestHead {
  /** Case-sensitive. */
  verb = '';
  path = '';
  /** Without the question mark; still encoded. */
  query = '';
  authorization = '';
  contentType = '';
  contentEncoding = '';
  accept = '';
  acceptEncoding = '';
  requestId = '';
  /** Not read before a log line or a span needs it. */
  traceParent = '';
  /** The signature of a callback of Shopify. */
  signature = '';
  /** null when absent; an empty value is malformed. */
  ifMatch: string | null = null;
  ifNoneMatch: string | null = null;
  idempotencyKey: string | null = null;
  batchId: string | null = null;
  /** Of a simulation: live when absent. */
  simulationSource: string | null = null;
  /** Bytes of the body; null without the header. */
  contentLength: number | null = null;
  isChunked = false;
  /** The reason for which two servers could read the framing differently, or null. */
  ambiguity: string | null = null;
  hasHost = false;
  /** The client asks that the connection is closed after the answer, as the library then does. */
  isLast = false;
}

// The pass is synchronous, so only one head is read at a time and one visitor is enough.
let reading = new RequestHead();

const WHOLE_LENGTH = /^[0-9]{1,15}$/;

function visitHeader(name: string, value: string): void {
  const head = reading;
  switch (name) {
    case 'host':
      if (head.hasHost) head.ambiguity = 'the header Host is given twice';
      head.hasHost = true;
      break;
    case 'connection':
      head.isLast ||= value.toLowerCase() === 'close';
      break;
    case 'content-length':
      if (head.contentLength !== null) head.ambiguity = 'the header Content-Length is given twice';
      else if (!WHOLE_LENGTH.test(value)) head.ambiguity = 'the header Content-Length must be a whole number';
      head.contentLength = Number(value);
      break;
    case 'transfer-encoding':
      if (head.isChunked) head.ambiguity = 'the header Transfer-Encoding is given twice';
      else if (value.toLowerCase() !== 'chunked')
        head.ambiguity = 'the header Transfer-Encoding must be chunked';
      head.isChunked = true;
      break;
    case 'authorization':
      if (head.authorization !== '') head.ambiguity = 'the header Authorization is given twice';
      head.authorization = value;
      break;
    case 'content-type':
      if (head.contentType !== '') head.ambiguity = 'the header Content-Type is given twice';
      head.contentType = value;
      break;
    case 'content-encoding':
      head.contentEncoding += value;
      break;
    case 'accept':
      head.accept += `,${value}`;
      break;
    case 'accept-encoding':
      head.acceptEncoding += `,${value}`;
      break;
    case 'x-request-id':
      // Two values make a malformed id, which is not echoed.
      head.requestId = head.requestId === '' ? value : `${head.requestId},${value}`;
      break;
    case 'traceparent':
      // Two values make a malformed one, which is ignored.
      head.traceParent = head.traceParent === '' ? value : `${head.traceParent},${value}`;
      break;
    case 'x-shopify-hmac-sha256':
      // Two values make a signature that is not valid.
      head.signature = head.signature === '' ? value : `${head.signature},${value}`;
      break;
    case 'if-match':
      head.ifMatch = head.ifMatch === null ? value : `${head.ifMatch},${value}`;
      break;
    case 'if-none-match':
      head.ifNoneMatch = head.ifNoneMatch === null ? value : `${head.ifNoneMatch},${value}`;
      break;
    case 'idempotency-key':
      if (head.idempotencyKey !== null) head.ambiguity = 'the header Idempotency-Key is given twice';
      head.idempotencyKey = value;
      break;
    case 'x-simulation-source':
      // Two values make a malformed one.
      head.simulationSource = head.simulationSource === null ? value : `${head.simulationSource},${value}`;
      break;
    case 'x-batch-id':
      if (head.batchId !== null) head.ambiguity = 'the header X-Batch-Id is given twice';
      head.batchId = value;
      break;
  }
}

/** Fills `head`. Call it once, in the tick of the handler: the request object is invalid afterwards. */
export function readRequestHead(req: HttpRequest, head: RequestHead): void {
  head.verb = req.getCaseSensitiveMethod();
  head.path = req.getUrl();
  // Undefined without a question mark, despite its type.
  head.query = (req.getQuery() as string | undefined) ?? '';
  reading = head;
  req.forEach(visitHeader);
  if (head.isChunked && head.contentLength !== null) {
    head.ambiguity = 'the headers Content-Length and Transfer-Encoding exclude each other';
  }
}

/** True when a body follows this head. */
export const announcesBody = (head: RequestHead): boolean =>
  head.isChunked || (head.contentLength !== null && head.contentLength > 0);

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Maximum length of batch ids and request ids. */
export const TOKEN_LENGTH_MAX = 64;

/** Beyond ASCII a header has no agreed encoding, and two keys could be read as one. */
export const IDEMPOTENCY_KEY_PATTERN = `^[\\x20-\\x7e]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`;
const IDEMPOTENCY_KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{1,${TOKEN_LENGTH_MAX}}$`);

export const SOURCE_HEADER = 'X-Simulation-Source';
export const SIMULATION_SOURCES = ['live', 'test'] as const;

/** Reads whether a simulation is a test, which is counted nowhere (contract section 12.8). */
export function readIsTest({ simulationSource }: RequestHead): Outcome<boolean> {
  if (simulationSource === null) return success(false);
  const isKnown = SIMULATION_SOURCES.some((source) => source === simulationSource);
  if (!isKnown) return invalid(`header ${SOURCE_HEADER} must be ${SIMULATION_SOURCES.join(' or ')}`);
  return success(simulationSource === 'test');
}

export interface WriteGuards {
  /** Version ids, numbers or tags of a changeset, one of which must be current; null = any. */
  readonly ifMatch: readonly string[] | null;
  readonly idempotencyKey: string | null;
  readonly batchId: string | null;
}

export const NO_GUARDS: WriteGuards = { ifMatch: null, idempotencyKey: null, batchId: null };

/** True for a text that may be echoed as `X-Request-Id`. */
export const isRequestId = (text: string): boolean => TOKEN.test(text);

/**
 * Reads the headers with which a client guards a write (contract section 1). A malformed one is refused rather than
 * ignored, because ignoring it would lift the guard.
 */
export function readWriteGuards(head: RequestHead): Outcome<WriteGuards> {
  const { idempotencyKey, batchId } = head;
  if (head.ifMatch === null && idempotencyKey === null && batchId === null) return success(NO_GUARDS);
  const listed = head.ifMatch === null ? 'any' : parseTags(head.ifMatch);
  if (listed === null) {
    return invalid(
      'header If-Match must be "<ETag>" or "<version id>", a comma-separated list of them, or *',
    );
  }
  if (idempotencyKey !== null && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    return invalid(
      `header ${IDEMPOTENCY_HEADER} must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} ASCII characters, none a control character`,
    );
  }
  if (batchId !== null && !TOKEN.test(batchId)) {
    return invalid(`header X-Batch-Id must be 1 to ${TOKEN_LENGTH_MAX} characters of A-Z, a-z, 0-9, _ and -`);
  }
  return success({ ifMatch: listed === 'any' ? null : listed, idempotencyKey, batchId });
}
