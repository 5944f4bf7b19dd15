// A checkout that still shows the rates of the old system, asks Ratewright beside it, and logs where the two differ.
// OLD_RATES_URL=http://127.0.0.1:8090 RATEWRIGHT_KEY=rw_... node both.mjs CART.json...
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { close, ratesFor } from './checkout.mjs';

/** Put the call of your system here. Its service codes are those that Ratewright has. */
async function oldRatesFor(cart) {
  const answer = await fetch(`${process.env.OLD_RATES_URL}/api/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(cart),
  });
  if (!answer.ok) throw new Error(`the old system answers ${answer.status}`);
  return (await answer.json()).rates;
}

const pricesOf = (rates) => new Map(rates.map(({ serviceCode, totalPrice }) => [serviceCode, totalPrice]));

/** Cents by service code, null where a system does not offer it; [] where both offer the same. */
function differences(oldRates, newRates) {
  const [before, after] = [pricesOf(oldRates), pricesOf(newRates)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((serviceCode) => ({ serviceCode, old: before.get(serviceCode) ?? null, new: after.get(serviceCode) ?? null }))
    .filter((each) => each.old !== each.new);
}

const log = (fields) => console.error(JSON.stringify({ level: 'info', ...fields }));
/** Comparisons under way. */
const pending = new Set();

/** The customer waits for the old system alone. */
export async function ratesToShow(cart, reference) {
  const asked = ratesFor(cart);
  const oldRates = await oldRatesFor(cart);
  const compared = asked.then(({ source, rates }) => {
    // Fallback rates say nothing about the configuration.
    if (source === 'fallback') log({ reference, compared: false });
    else log({ reference, compared: true, differences: differences(oldRates, rates) });
  });
  const ended = compared.finally(() => pending.delete(ended));
  pending.add(ended);
  return oldRates;
}

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  for (const path of process.argv.slice(2)) {
    console.log(JSON.stringify(await ratesToShow(JSON.parse(readFileSync(path, 'utf8')), path)));
  }
  await Promise.all(pending);
  await close();
}
