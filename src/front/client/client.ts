/**
 * A typed client of the Ratewright API: one method for each route; answers and failures are values.
 *
 * Connections are kept alive. A request is repeated only if that cannot execute anything twice: reads, simulations,
 * and writes with an `Idempotency-Key`, which every write gets unless the caller declines; and any request that was
 * not sent. Every call ends within its deadline.
 */
import type { Attempt } from './attempt.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { CallOptions, Calls, OperatorCalls, Schemas } from './call-table.ts';
import { callsOf, operatorCallsOf } from './caller.ts';
import { CONNECTION_OPTIONS, type ConnectionOptions, connectionOf } from './connection.ts';
import { checkOptions, HTTP_ADDRESS, KEY, type OptionKinds, requireObject, TEXT } from './given-options.ts';

export type { CallFailure, CallOutcome, CallSuccess, NetworkFailureCode } from './call-outcome.ts';
export type { CallAnswers, CallName, CallOptions, Schemas } from './call-table.ts';
export type { Waits } from './caller.ts';
export type SimulateRequest = Schemas['SimulateRequest'];
export type SimulateAnswer = Schemas['SimulateAnswer'];

export interface ClientOptions extends ConnectionOptions {
  /** Base address of the service, such as `http://127.0.0.1:8080`; a path in it becomes the prefix of each route. */
  readonly url: string;
  /** API key; without a key only routes that need none can be called. */
  readonly key?: string;
}

export type RatewrightClient = Calls & {
  /** Closes the connections after pending calls are answered. */
  close(): Promise<void>;
};

const CLIENT_OPTIONS = {
  url: HTTP_ADDRESS,
  key: KEY,
  ...CONNECTION_OPTIONS,
} as const satisfies { readonly [K in keyof Required<ClientOptions>]: OptionKinds[string] };

/** Throws `TypeError` for an unknown or malformed option, or when `url` is not an http or https address. */
export function createClient(options: ClientOptions): RatewrightClient {
  checkOptions('createClient', CLIENT_OPTIONS, options, ['url']);
  const { url, key, ...connection } = options;
  const caller = connectionOf({ url }, key, connection);
  return { ...callsOf(caller), close: () => caller.sender.close() };
}

export type OperatorOptions = ConnectionOptions &
  (
    | {
        /** Base address of the service; a path in it becomes the prefix of each route. */
        readonly url: string;
        /** The value of `RATEWRIGHT_OPERATOR_KEY` of the service. */
        readonly operatorKey: string;
      }
    | {
        /** Path of the socket in the data folder of the service, on which no key is needed. */
        readonly socketPath: string;
      }
  );

export interface RatewrightOperator {
  readonly shops: {
    readonly list: OperatorCalls['listShops'];
    readonly create: OperatorCalls['createShop'];
    readonly setPlan: OperatorCalls['setShopPlan'];
    readonly delete: OperatorCalls['deleteShop'];
  };
  readonly setShopifySecret: OperatorCalls['setShopifySecret'];
  readonly status: OperatorCalls['getStatus'];
  readonly verify: OperatorCalls['verifyLog'];
  /** The value is the content of the copy. */
  readonly backup: (options?: CallOptions) => Promise<CallOutcome<AsyncIterable<Uint8Array>>>;
  /** The calls of a client with an admin key of this shop. Closing it closes nothing: the connections are shared. */
  readonly shop: (shopId: string) => RatewrightClient;
  /** Closes the connections after pending calls are answered. */
  close(): Promise<void>;
}

const ON_PORT = { url: HTTP_ADDRESS, operatorKey: KEY, ...CONNECTION_OPTIONS } satisfies OptionKinds;
const ON_SOCKET = { socketPath: TEXT, ...CONNECTION_OPTIONS } satisfies OptionKinds;

/** Throws `TypeError` for an unknown or malformed option, or when `url` is not an http or https address. */
export function createOperator(options: OperatorOptions): RatewrightOperator {
  requireObject('createOperator', options);
  const onSocket = 'socketPath' in options;
  checkOptions('createOperator', onSocket ? ON_SOCKET : ON_PORT, options, onSocket ? ['socketPath'] : []);
  if (!onSocket && (options.url === undefined || options.operatorKey === undefined)) {
    throw new TypeError('createOperator takes url and operatorKey, or socketPath');
  }
  const caller = onSocket
    ? connectionOf({ socketPath: options.socketPath }, undefined, connectionOptionsOf(options))
    : connectionOf({ url: options.url }, options.operatorKey, connectionOptionsOf(options));
  const { sender } = caller;
  const calls = operatorCallsOf(caller);

  async function backup(given?: CallOptions): Promise<CallOutcome<AsyncIterable<Uint8Array>>> {
    let body: AsyncIterable<Uint8Array> | undefined;
    const send = (...[prepared, timeMs, signal]: Parameters<typeof sender.send>): Promise<Attempt> =>
      sender.stream(prepared, timeMs, signal, (stream) => {
        body = stream;
      });
    const streaming = operatorCallsOf({ ...caller, sender: { send, close: () => sender.close() } });
    const outcome = await streaming.backUpLog(given);
    if (!outcome.ok) return outcome;
    if (body === undefined) throw new Error('a copy was answered without its content');
    return { ...outcome, value: body };
  }

  return {
    shops: {
      list: calls.listShops,
      create: calls.createShop,
      setPlan: calls.setShopPlan,
      delete: calls.deleteShop,
    },
    setShopifySecret: calls.setShopifySecret,
    status: calls.getStatus,
    verify: calls.verifyLog,
    backup,
    shop: (shopId) => ({
      ...callsOf({ ...caller, shopPath: `/operator/shops/${encodeURIComponent(shopId)}` }),
      close: async () => {},
    }),
    close: () => sender.close(),
  };
}

const connectionOptionsOf = (options: OperatorOptions): ConnectionOptions =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(CONNECTION_OPTIONS, name)),
  ) as ConnectionOptions;
