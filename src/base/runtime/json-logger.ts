/**
 * The logger of the server: one JSON line per event on standard error, written before the call returns, so that the
 * last line before an exit is not lost. Fields whose names suggest a secret, a header or an address are left out.
 */
import { format } from 'node:util';
import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino';
import type { LogFields, Logger, LogLevel } from './logger.ts';

const STANDARD_ERROR = 2;
/** Maximum size of lines that wait because they could not be written, as on a full disk; more lines are dropped. */
const WAITING_BYTES_MAX = 1024 * 1024;

/** Names of fields that are never logged, compared without case and punctuation. */
const REDACTED =
  /authorization|header|cookie|secret|password|token|apikey|sha256|body|destination|address|postal|city|province|phone|company|email/;

/** Writes lines of `level` and above to `stream`, which tests replace. */
export function createJsonLogger(level: LogLevel, stream: DestinationStream = standardError()): Logger {
  const lines = pino(
    {
      level,
      base: { pid: process.pid },
      messageKey: 'event',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  return {
    debug: (event, fields) => lines.debug(lineFields(fields), event),
    info: (event, fields) => lines.info(lineFields(fields), event),
    warn: (event, fields) => lines.warn(lineFields(fields), event),
    error: (event, fields) => lines.error(lineFields(fields), event),
    fatal: (event, fields) => lines.fatal(lineFields(fields), event),
  };
}

/**
 * Makes a line of the log of each error that a library prints, as LMDB's binding does after a failed commit. Before it LMDB
 * itself has printed text without a line end, which must not become part of that line.
 */
export function logPrintedErrors(logger: Pick<Logger, 'error'>): void {
  console.error = (...parts: unknown[]): void => {
    process.stderr.write('\n');
    logger.error('library.error', { text: format(...parts) });
  };
}

function standardError(): DestinationStream {
  const stream = destination({ fd: STANDARD_ERROR, sync: true, maxLength: WAITING_BYTES_MAX });
  // A failure to write a line must not stop the service.
  stream.on('error', () => {});
  return stream;
}

function lineFields(fields: LogFields = {}): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (REDACTED.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''))) continue;
    if (value instanceof Error) {
      kept[name] = value.message;
      kept[`${name}Stack`] = value.stack;
    } else {
      kept[name] = value;
    }
  }
  return kept;
}
