import { request } from 'undici';
import { HOST, type MeasuredServer } from './measured-server.ts';

/** One shop of the measured server, as a client with one key sees it. */
export class ShopClient {
  readonly #server: MeasuredServer;
  readonly #authorization: string;

  constructor(server: MeasuredServer, authorization: string) {
    this.#server = server;
    this.#authorization = authorization;
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await request(`http://${HOST}:${this.#server.port}${path}`, {
      method,
      headers: { authorization: this.#authorization, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      headersTimeout: 120_000,
      bodyTimeout: 120_000,
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  async expect(status: number, ...call: Parameters<ShopClient['call']>): Promise<string> {
    const answer = await this.call(...call);
    if (answer.status === status) return answer.text;
    throw new Error(`${call[0]} ${call[1]} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  }
}
