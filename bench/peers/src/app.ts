/** A Fastify application around one way to simulate: key check, request schema, one route. */
import { readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance, type RouteShorthandOptions } from 'fastify';
import type { ShopFile, SimulateRequest } from './model.ts';
import { Shop } from './shop.ts';

export interface Peer {
  readonly schema: NonNullable<RouteShorthandOptions['schema']>;
  /** An object for Fastify to serialise, or finished JSON text. */
  simulate(shop: Shop, request: SimulateRequest): Promise<object | string> | string;
}

function makeApp({ schema, simulate }: Peer, shop: Shop, key: string): FastifyInstance {
  const app = Fastify({ logger: false });
  const allowed = new Set([`Bearer ${key}`, key]);
  app.addHook('onRequest', (request, reply, done) => {
    if (allowed.has(request.headers.authorization ?? '')) done();
    else reply.code(401).send({ error: { code: 'UNAUTHORIZED', message: 'missing or invalid API key' } });
  });
  app.post<{ Body: SimulateRequest }>('/api/simulate', { schema }, (request, reply) => {
    const answer = simulate(shop, request.body);
    reply.header('content-type', 'application/json; charset=utf-8');
    return typeof answer === 'string' ? reply.send(answer) : answer;
  });
  return app;
}

/** Serves the shop of the file named first among the arguments, for the key named second. */
export async function serve(peer: Peer): Promise<void> {
  const [shopFile = '', key = ''] = process.argv.slice(2);
  const shop = new Shop(JSON.parse(readFileSync(shopFile, 'utf8')) as ShopFile);
  const app = makeApp(peer, shop, key);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ port: Number(new URL(address).port) });
  process.on('SIGTERM', () => process.exit(0));
  process.on('disconnect', () => process.exit(0));
}
