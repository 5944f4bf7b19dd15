/**
 * The port for log lines: an event name and flat fields. A field cannot be an object, so that no request or map of
 * headers is logged by mistake.
 */

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type LogField = string | number | boolean | null;

export interface LogFields {
  readonly [name: string]: LogField | Error | undefined;
}

/** `event` is a constant text in lower case with dots, such as `shop.loaded`. */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  fatal(event: string, fields?: LogFields): void;
}

const nothing = (): void => {};

/** For the command line and for tests. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
