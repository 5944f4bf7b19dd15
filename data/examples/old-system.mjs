// Speaks for an old system: answers POST /api/simulate as Ratewright does, so that the two can be compared. Here it knows what
// orders were charged; put the call of your system in the place of `charged`.
// PORT=8090 node old-system.mjs ORDERS.json, where the orders are checks, each with one rate.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { checks } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const charged = new Map(
  checks.map(({ request, expectations: [{ serviceCode, totalPrice }] }) => [
    JSON.stringify(request),
    { serviceName: serviceCode, serviceCode, description: '', totalPrice, currency: request.currency },
  ]),
);

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const send = (status, answer) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  };
  if (request.method !== 'POST' || !request.url.startsWith('/api/simulate')) {
    return send(404, { error: { code: 'NOT_FOUND', message: 'POST /api/simulate is known here' } });
  }
  const rate = charged.get(JSON.stringify(JSON.parse(body)));
  send(200, { rates: rate === undefined ? [] : [rate] });
});
server.listen(Number(process.env.PORT ?? 8090), '127.0.0.1', () => console.log(`listens on ${server.address().port}`));
