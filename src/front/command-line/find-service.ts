/**
 * Where a command finds the service that it asks: the server that `--url` names; else the one that listens on the socket
 * of the data folder; else one in this process, on that socket alone, which ends with the command.
 */
import { existsSync } from 'node:fs';
import { RESOURCE_NAMES } from '../../engine/domain/failure.ts';
import type { CallFailure, CallOutcome } from '../client/call-outcome.ts';
import {
  createClient,
  createOperator,
  type RatewrightClient,
  type RatewrightOperator,
} from '../client/client.ts';
import { REAL_WAITS } from '../client/connection.ts';
import { HTTP_ADDRESS, KEY } from '../client/given-options.ts';
import { NO_ROUTE } from '../http/failure-answer.ts';
import { DataFolderServedError, findServer } from '../operator/folder-socket.ts';
import { KEY_VARIABLE, readApiKey, readUrl, SETTINGS, type Settings, URL_VARIABLE } from '../settings.ts';
import type { CommandInput } from './command.ts';
import { CommandError, EXIT_CODES, usageError, writeLine } from './exit-code.ts';

const OPERATOR_KEY_VARIABLE = SETTINGS.operatorKey.variable;

export const SERVICE_OPTIONS = {
  url: {
    value: 'URL',
    description: `Ask this server in place of the data folder (default: ${URL_VARIABLE})`,
  },
  'operator-key': {
    value: 'KEY',
    description: `The operator key of that server (default: ${OPERATOR_KEY_VARIABLE})`,
  },
};

/** Of every command on one shop. */
export const SHOP_OPTIONS = {
  shop: { value: 'ID', description: 'The shop (default: the only one)' },
  ...SERVICE_OPTIONS,
};

/** A wait that is longer is told on standard error. Only a service that names the time makes a call wait so long. */
const SILENT_MS_MAX = 1_000;

/** How the calls of commands are made; the deadline is long enough for a whole configuration. */
const CALLS = {
  deadlineMs: 60_000,
  waits: {
    ...REAL_WAITS,
    sleep(ms: number, signal: AbortSignal | undefined, failed: CallFailure): Promise<unknown> {
      if (ms > SILENT_MS_MAX) writeLine(`${failed.message}; trying again in ${Math.ceil(ms / 1_000)} s`);
      return REAL_WAITS.sleep(ms, signal, failed);
    },
  },
};

interface ServiceUse {
  /** Makes a missing data folder; other commands most likely got the wrong one. */
  readonly makesFolder?: boolean;
}

/** Works with the operator API; `isOwn` says that the service runs in this process. */
export async function withOperator<T>(
  input: CommandInput,
  work: (operator: RatewrightOperator, isOwn: boolean) => Promise<T>,
  { makesFolder = false }: ServiceUse = {},
): Promise<T> {
  const url = urlOf(input);
  if (url === null) return onFolder(input.settings, makesFolder, work);
  const operatorKey = operatorKeyOf(input);
  if (operatorKey === null) {
    throw usageError(`an operator key is needed at ${url}: --operator-key KEY, or ${OPERATOR_KEY_VARIABLE}`);
  }
  checkKey('--operator-key', operatorKey);
  return closing(createOperator({ url, operatorKey, ...CALLS }), (operator) => work(operator, false));
}

/**
 * Works on the shop that `--shop` names, or on the only one. With an address, the key in `RATEWRIGHT_KEY` may name the
 * shop instead.
 */
export async function withShop<T>(
  input: CommandInput,
  work: (client: RatewrightClient) => Promise<T>,
): Promise<T> {
  const url = urlOf(input);
  const key = readApiKey();
  if (url !== null && key === null && operatorKeyOf(input) === null) {
    throw usageError(
      `a key is needed at ${url}: --operator-key KEY, ${OPERATOR_KEY_VARIABLE}, or for one shop ${KEY_VARIABLE}`,
    );
  }
  const isForOperator = input.option('shop') !== undefined || input.option('operator-key') !== undefined;
  if (url === null || key === null || isForOperator) {
    return withOperator(input, async (operator) => work(operator.shop(await shopIdIn(operator, input))));
  }
  checkKey(KEY_VARIABLE, key);
  return closing(createClient({ url, key, ...CALLS }), work);
}

/** The address of the server to ask; null for that of the data folder. Throws `CommandError` (usage). */
function urlOf(input: CommandInput): string | null {
  const given = input.option('url');
  const url = given ?? readUrl();
  if (url === null && input.option('operator-key') !== undefined)
    throw usageError('--operator-key goes with --url');
  if (url !== null && !HTTP_ADDRESS.isValid(url)) {
    throw usageError(`${given === undefined ? URL_VARIABLE : '--url'} must be ${HTTP_ADDRESS.accepts}`);
  }
  return url;
}

const operatorKeyOf = (input: CommandInput): string | null =>
  input.option('operator-key') ?? input.settings.operatorKey;

function checkKey(name: string, key: string): void {
  if (!KEY.isValid(key)) throw usageError(`${name} must be ${KEY.accepts}`);
}

/** The id of the shop that `--shop` names, or of the only one. */
export async function shopIdIn(operator: RatewrightOperator, input: CommandInput): Promise<string> {
  const named = input.option('shop');
  if (named !== undefined) return named;
  const { shops, damaged } = answered(await operator.shops.list({ query: { limit: 2 } }));
  const [first, second] = [...shops, ...damaged];
  if (first === undefined) throw new CommandError("there is no shop yet: 'ratewright shop create' makes one");
  if (second === undefined) return first.id;
  throw new CommandError("there are several shops: name one with --shop ID ('ratewright shop list')");
}

/** The value of a call that must succeed. */
export function answered<T>(outcome: CallOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  const doubt = outcome.mayHaveHappened ? '; it may have been carried out all the same' : '';
  const exitCode = outcome.code === 'INTERNAL_ERROR' ? EXIT_CODES.internal : EXIT_CODES.refused;
  throw new CommandError(`${outcome.message} (${outcome.code})${advice(outcome)}${doubt}`, exitCode);
}

/** What to do about failures that have nothing to do with what was asked. */
function advice({ code, message }: CallFailure): string {
  if (code === 'NOT_FOUND' && message.startsWith(RESOURCE_NAMES.shop))
    return ": 'ratewright shop list' names all";
  if (code === NO_ROUTE.code && message === NO_ROUTE.message)
    return `: the server must have been started with ${OPERATOR_KEY_VARIABLE}, and be of this release`;
  if (code === 'UNREACHABLE') return ': see whether the server runs, and whether --url names it';
  if (code === 'UNAUTHORIZED') {
    return `: --operator-key must be the ${OPERATOR_KEY_VARIABLE} of the server, or ${KEY_VARIABLE} a key of the shop`;
  }
  return '';
}

async function closing<C extends { close(): Promise<void> }, T>(
  client: C,
  work: (client: C) => Promise<T>,
): Promise<T> {
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Works with the server on the data folder; where none runs, with one in this process. */
async function onFolder<T>(
  settings: Settings,
  makesFolder: boolean,
  work: (operator: RatewrightOperator, isOwn: boolean) => Promise<T>,
): Promise<T> {
  const { dataPath, databaseUrl } = settings;
  if (!makesFolder && databaseUrl === null) requireFolder(dataPath);
  const ask = (socketPath: string, isOwn: boolean) =>
    closing(createOperator({ socketPath, ...CALLS }), (operator) => work(operator, isOwn));
  const served = await findServer(dataPath);
  if (served !== null) return ask(served, false);
  const { startForCommand } = await import('../operator/command-service.ts');
  const own = await startForCommand(settings).catch(async (error: unknown) => {
    // A server was started meanwhile.
    if (error instanceof DataFolderServedError && (await findServer(dataPath)) !== null) return null;
    throw error;
  });
  if (own === null) return onFolder(settings, makesFolder, work);
  try {
    return await Promise.race([ask(own.socketPath, true), own.failure]);
  } finally {
    await own.close();
  }
}

/** Throws `CommandError` when the data folder is missing. */
export function requireFolder(dataPath: string): void {
  if (!existsSync(dataPath))
    throw new CommandError(`there is no data folder ${dataPath} (RATEWRIGHT_DATA names it)`);
}
