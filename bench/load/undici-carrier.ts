/**
 * Requests by undici, the client that Node itself ships: what a checkout written in Node would use. It takes any
 * service: TLS, answers in chunks, connections that the service closes.
 */
import { type Dispatcher, Pool } from 'undici';
import { type Answered, type Carrier, type Connection, type LoadTarget, readBodies } from './load-target.ts';
import { isSuccess } from './wire-connection.ts';

/** A service that does not answer for so long is one that did not answer. */
export const ANSWER_MS_MAX = 10_000;

/** `"code":"..."` of a refusal, whatever stands around it. */
const CODE = /"code"\s*:\s*"([^"]{1,100})"/;

/** `connections` is how many of them are opened. */
export function undiciCarrier(target: LoadTarget, connections: number): Carrier {
  const pool = new Pool(target.origin, {
    connections,
    pipelining: 1,
    headersTimeout: ANSWER_MS_MAX,
    bodyTimeout: ANSWER_MS_MAX,
    connect: { timeout: ANSWER_MS_MAX },
  });
  const { path, method, authorization } = target;
  const headers = { authorization, 'content-type': 'application/json' };
  const open = (answered: Answered): Promise<Connection> => {
    const connection: Connection = {
      send: (body) => void pool.dispatch({ path, method, headers, body }, handlerOf(connection, answered)),
      close: () => void pool.destroy(),
    };
    return Promise.resolve(connection);
  };
  return { requests: readBodies(target).map((body) => Buffer.from(body)), open };
}

function handlerOf(connection: Connection, answered: Answered): Dispatcher.DispatchHandler {
  let status = 0;
  let unknownFields: string | undefined;
  let refusal = '';
  return {
    onRequestStart() {},
    onResponseStart(_controller, statusCode, headers) {
      status = statusCode;
      unknownFields = headers['x-unknown-fields']?.toString();
    },
    onResponseData(_controller, chunk) {
      if (!isSuccess(status)) refusal += chunk.toString('utf8');
    },
    onResponseEnd() {
      const code = CODE.exec(refusal)?.[1];
      answered(connection, status, {
        ...(code !== undefined && { code }),
        ...(unknownFields !== undefined && { unknownFields }),
      });
    },
    onResponseError(_controller, cause) {
      answered(connection, 0, { code: (cause as NodeJS.ErrnoException).code ?? cause.message });
    },
  };
}
