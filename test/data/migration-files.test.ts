/** The files of `data/migration/` that the page about moving from another system imports, and its program for WooCommerce. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import { importMagentoTableRate } from '../../src/engine/import/magento-tablerate.ts';
import { importMatrixRate } from '../../src/engine/import/matrixrate.ts';
import type { Imported } from '../../src/engine/import/source-report.ts';
import { importWooZones } from '../../src/engine/import/woo-zones.ts';
import { projectRoot, readText } from '../house/project-files.ts';
import { offered, shopOf } from '../support/foreign/imported-shop.ts';

const readFile = (name: string): string => readText(`data/migration/${name}`);
const codesOf = ({ remarks }: Imported): string[] => remarks.map(({ code }) => code);
const item = { quantity: 1, grams: 1_500, price: 4_000 };
const to = (country: string, postalCode = ''): SimulateRequest => ({
  destination: { country, postalCode },
  items: [item],
});

interface Order {
  readonly name: string;
  readonly request: SimulateRequest;
  readonly expectations: readonly { readonly totalPrice: number }[];
}

test("the outfitter's table has three remarks, and charges what the orders were charged but for two", () => {
  const imported = importMagentoTableRate(readFile('magento-tablerates.csv'), {
    weightUnit: 'lb',
    unit: null,
  });
  assert.deepEqual(codesOf(imported), ['zip_plus_4', 'region_code', 'rounded']);
  const shop = shopOf(imported);
  const { checks } = JSON.parse(readFile('magento-orders.json')) as { checks: readonly Order[] };
  const differing = checks.filter(({ request, expectations: [expected] }) => {
    const prices = offered(shop, request).map(([, cents]) => cents);
    return prices.join() !== String(expected?.totalPrice);
  });
  assert.deepEqual(
    differing.map(({ request: { destination } }) => [destination.country, destination.postalCode]),
    [
      ['PR', '00901'],
      ['US', '97214-1142'],
    ],
  );
});

test("the courier's table offers an island its own delivery type", () => {
  const imported = importMatrixRate(readFile('webshopapps-matrixrate.csv'), { weightUnit: 'kg', unit: null });
  assert.deepEqual(codesOf(imported), []);
  const shop = shopOf(imported);
  assert.deepEqual(offered(shop, to('GB', 'LS1 4AP')), [
    ['Royal Mail 48', 395],
    ['Next working day', 595],
  ]);
  assert.deepEqual(offered(shop, to('GB', 'IV2 3EG')), [['Highlands and Islands (3-5 days)', 1_295]]);
  assert.deepEqual(offered(shop, to('DE', '25849')), [['DHL Inselzustellung (3-6 Tage)', 2_495]]);
  assert.deepEqual(offered(shop, to('FR', '20090')), [['Colissimo Corse (4-7 days)', 1_995]]);
  assert.deepEqual(offered(shop, to('JP')), [['International tracked', 1_995]]);
});

test('the shop on WooCommerce loses its rates for Europe, and the remarks say so', () => {
  const imported = importWooZones(JSON.parse(readFile('woocommerce-zones.json')));
  assert.deepEqual(codesOf(imported), ['class_costs', 'unknown_method', 'decimal_comma']);
  const shop = shopOf(imported);
  assert.deepEqual(offered(shop, to('IE')), [
    ['Collect in Galway', 0],
    ['An Post', 550],
  ]);
  assert.deepEqual(offered(shop, to('GB', 'BT7 1NN')), [['Fastway', 775]]);
  assert.deepEqual(offered(shop, to('FR')), []);
});

test('the program for WooCommerce puts the answers of its REST API together, with the key of its user', async (context) => {
  const exported = JSON.parse(readFile('woocommerce-zones.json')) as { zones: Record<string, unknown>[] };
  const server = createServer(({ url = '', headers }, answer) => {
    const [, id, part = ''] = /^\/wp-json\/wc\/v3\/shipping\/zones(?:\/(\d+)\/(\w+))?$/.exec(url) ?? [];
    const zone = exported.zones.find((each) => String(each['id']) === id);
    const body =
      zone?.[part] ?? exported.zones.map(({ id, name, order }) => ({ id, name, order, _links: {} }));
    const isKnown = headers.authorization === `Basic ${Buffer.from('ck_1:cs_2').toString('base64')}`;
    answer.writeHead(isKnown ? 200 : 401).end(JSON.stringify(isKnown ? body : { code: 'cannot_view' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const WOO_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = join(projectRoot, 'data/migration/export-woocommerce.mjs');
  const run = (WOO_SECRET: string) =>
    promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, NODE_V8_COVERAGE: '', WOO_URL, WOO_KEY: 'ck_1', WOO_SECRET },
    });
  assert.deepEqual(JSON.parse((await run('cs_2')).stdout), exported);
  await assert.rejects(run('cs_3'), /401 .*cannot_view/);
});
