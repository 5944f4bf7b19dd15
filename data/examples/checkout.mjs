// Rates for a checkout: asked for with a deadline, and taken from a file when there is no answer.
// Needs Node 20 and the typed client: RATEWRIGHT_KEY=rw_... node checkout.mjs CART.json...
import { randomBytes } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient } from 'ratewright/client';

/** Refuses unknown fields, throws in place of fallback rates, and is counted in no figure of the shop. */
const isTest = process.env.CHECKOUT_TEST === '1';

/** One for the process: it keeps up to eight connections, and closes an idle one before the server does. */
const client = createClient({
  url: process.env.RATEWRIGHT_URL ?? 'http://127.0.0.1:8080',
  key: process.env.RATEWRIGHT_KEY, // with the permission `simulate`
  deadlineMs: Number(process.env.CHECKOUT_DEADLINE_MS ?? 800), // for all attempts together
  retriesMax: 1, // only what a second attempt can mend, and never before `Retry-After`
  backoffMs: 50,
});

/** By currency, then by country of the destination; `*` has the rates of the others. */
const fallback = JSON.parse(readFileSync(new URL('fallback-rates.json', import.meta.url), 'utf8'));

function fallbackRates({ destination, currency }) {
  const byCountry = fallback[currency] ?? {};
  return byCountry[String(destination?.country).toUpperCase()] ?? byCountry['*'] ?? [];
}

const log = (level, fields) => console.error(JSON.stringify({ level, ...fields }));

/** A trace of its own; a checkout that is traced gives the header of the request that it answers. */
const newTrace = () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

/** `source` is `live`, `fallback`, or `none` for a cart that needs no shipping. Live without rates: no shipping there. */
export async function ratesFor(cart, traceparent = newTrace()) {
  if (cart.items?.every((item) => item.requiresShipping === false)) return { source: 'none', rates: [] };
  const answer = await client.simulate(cart, {
    query: { fields: 'rates', ...(isTest && { strict: true }) },
    simulationSource: isTest ? 'test' : 'live',
    traceparent,
  });
  if (answer.ok) {
    const { unknownFields, requestId } = answer;
    if (unknownFields.length > 0) log('warn', { unknownFields, requestId });
    return { source: 'live', rates: answer.value.rates };
  }
  const { status, code, message, requestId } = answer;
  if (isTest) throw new Error(`${status} ${code}: ${message}`);
  log('error', { status, code, message, requestId });
  return { source: 'fallback', rates: fallbackRates(cart) };
}

export const close = () => client.close();

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  for (const path of process.argv.slice(2)) {
    const answer = await ratesFor(JSON.parse(readFileSync(path, 'utf8')), process.env.TRACEPARENT);
    console.log(JSON.stringify(answer));
  }
  await close();
}
