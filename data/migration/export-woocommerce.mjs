// Prints the shipping zones of a WooCommerce shop as `ratewright import --from woocommerce-zones` reads them.
// WOO_URL=https://shop.example.com WOO_KEY=ck_... WOO_SECRET=cs_... node export-woocommerce.mjs > zones.json
// The key needs the permission "read" (WooCommerce, Settings, Advanced, REST API).
const { WOO_URL, WOO_KEY, WOO_SECRET } = process.env;
const authorization = `Basic ${Buffer.from(`${WOO_KEY}:${WOO_SECRET}`).toString('base64')}`;

async function read(path) {
  const answer = await fetch(`${WOO_URL}/wp-json/wc/v3/shipping/zones${path}`, { headers: { authorization } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const zones = [];
for (const { id, name, order } of await read('')) {
  zones.push({ id, name, order, locations: await read(`/${id}/locations`), methods: await read(`/${id}/methods`) });
}
console.log(JSON.stringify({ zones }, null, 2));
