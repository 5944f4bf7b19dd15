/** The options of `npm run bench -- --url ...`: load on a service that runs already, or on two that are compared. */
import { type GivenOptions, UsageError } from '../command-line.ts';
import { SIMULATE_PATH } from '../http/measured-server.ts';
import { projectPath } from '../project-paths.ts';

/** A service that answers simulations. */
export interface Service {
  /** As it was given. */
  readonly url: string;
  readonly origin: string;
  readonly path: string;
  readonly authorization: string;
}

export interface ServiceOptions {
  /** One, or the two that are compared. */
  readonly services: readonly [Service, Service?];
  readonly carts: string;
  /** null = half of the peak. */
  readonly perSecond: number | null;
  /** Of load on each service; 0 = none. */
  readonly seconds: number;
  readonly reportFile: string;
}

export const SERVICE_OPTIONS = ['--url', '--key', '--rate', '--for', '--against', '--key2', '--report'];

const DEFAULT_REPORT = projectPath('dist/service.html');
/** More than the load generator can send. */
const PER_SECOND_MAX = 20_000;
const SECONDS_MAX = 600;

/** Null without `--url`. Throws `UsageError`. */
export function readServiceOptions({ words, switches, values }: GivenOptions): ServiceOptions | null {
  const url = values.get('--url');
  if (url === undefined) {
    const alone = SERVICE_OPTIONS.find((name) => values.has(name));
    if (alone !== undefined) throw new UsageError(`${alone} needs --url`);
    return null;
  }
  const known = [...SERVICE_OPTIONS, '--carts'];
  const [other] = [...words, ...switches, ...[...values.keys()].filter((name) => !known.includes(name))];
  if (other !== undefined) throw new UsageError(`--url does not go with ${other}`);
  const [key, carts] = [values.get('--key'), values.get('--carts')];
  if (key === undefined) throw new UsageError('--url needs --key');
  if (carts === undefined) throw new UsageError('--url needs --carts');
  const against = values.get('--against');
  const key2 = values.get('--key2');
  if (against === undefined && key2 !== undefined) throw new UsageError('--key2 needs --against');
  const first = readService('--url', url, '--key', key);
  const seconds = readSeconds(values.get('--for') ?? '60s', against !== undefined);
  return {
    services:
      against === undefined
        ? [first]
        : [first, readService('--against', against, key2 === undefined ? '--key' : '--key2', key2 ?? key)],
    carts,
    perSecond: readRate(values.get('--rate')),
    seconds,
    reportFile: values.get('--report') ?? DEFAULT_REPORT,
  };
}

function readService(option: string, text: string, keyOption: string, key: string): Service {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${option} takes an address such as http://127.0.0.1:8080, not ${text}`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError(`${keyOption} takes an API key: visible ASCII only`);
  const folder = url.pathname.replace(/\/+$/, '');
  const path = folder.endsWith(SIMULATE_PATH) ? folder : folder + SIMULATE_PATH;
  return { url: text, origin: url.origin, path: path + url.search, authorization: `Bearer ${key}` };
}

function readRate(text: string | undefined): number | null {
  if (text === undefined) return null;
  const rate = Number(text);
  if (rate > 0 && rate <= PER_SECOND_MAX) return rate;
  throw new UsageError(`--rate takes requests per second, more than 0 and at most ${PER_SECOND_MAX}`);
}

function readSeconds(text: string, compares: boolean): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(s|m)$/.exec(text) ?? [];
  const seconds = Number(count) * (unit === 'm' ? 60 : 1);
  if (seconds <= SECONDS_MAX && (seconds >= 0.1 || (seconds === 0 && compares))) return seconds;
  const none = compares ? ', or 0s for no load' : '';
  throw new UsageError(`--for takes a time from 0.1s to ${SECONDS_MAX}s, such as 60s or 5m${none}`);
}
