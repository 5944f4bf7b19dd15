// Writes data/screenshots/ anew: the pictures of the console in the README, taken in Chromium on the demo shop while the
// story of the README is under way. `npm run screenshots`, then look at them.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { ConsoleInBrowser, demoCart, place } from '../dist/test/support/console-in-browser.js';
import { answered } from '../dist/test/support/server-process.js';

const FOLDER = new URL('../data/screenshots/', import.meta.url);
const WINDOW = { width: 1_280, height: 800 };
/** Of all pictures together, so that a clone stays small. */
const BYTES_MAX = 200 * 1_024;
const QUALITY = 55;

const demo = new ConsoleInBrowser();

/** A picture of the window once the text is shown, as WebP: a third of a PNG. */
async function take(name, fragment, shown) {
  const page = await demo.opened(fragment);
  await page.setViewportSize(WINDOW);
  await page.getByText(shown).first().waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  writeFileSync(new URL(`${name}.webp`, FOLDER), Buffer.from(data, 'base64'));
  await page.context().close();
}

const carts = readdirSync(new URL('../data/carts/', import.meta.url)).map((file) =>
  JSON.parse(demoCart(file.replace('.json', ''))),
);
const simulateAll = async () => {
  for (const cart of carts) answered(await demo.client.simulate(cart));
};

mkdirSync(FOLDER, { recursive: true });
await demo.start();
try {
  const { client } = demo;
  const cart = demoCart('us-po-box');
  answered(await client.updateShop({ promotionGate: { checksPass: true, noLostCarts: true } }));
  answered(await client.updateMethod('method_us_standard', { freeShippingThreshold: 2_500 }));
  await simulateAll();
  const changes = { cart, open: 'method_us_standard', changes: 'shown' };
  await take('tester', place('tester', changes), 'versions evaluated');
  await take('overview', '#/overview', 'Open a cart that shows it');
  answered(await client.changeStaging({ action: 'enter' }));
  answered(await client.updateMethod('method_us_standard', { freeShippingThreshold: 25_000 }));
  answered(await client.changeStaging({ action: 'replay' }));
  await take('changeset', '#/changeset', 'Before it is published');
} finally {
  await demo.stop();
}
const bytes = readdirSync(FOLDER).reduce((sum, file) => sum + statSync(new URL(file, FOLDER)).size, 0);
process.stdout.write(`data/screenshots: ${Math.ceil(bytes / 1_024)} KB\n`);
if (bytes > BYTES_MAX) throw new Error(`more than ${BYTES_MAX} bytes`);
