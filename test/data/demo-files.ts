/** The demo shop and the example carts of `data/`, read once for every test that needs them. */
import { filesBelow, readText } from '../house/project-files.ts';

const readJson = (path: string): unknown => JSON.parse(readText(path));

/** The file's content as it stands; what it must look like is what the tests check. */
export const readDemoShop = (): unknown => readJson('data/demo-shop.json');

/** File name without its ending -> the simulate request in it. */
export const readCarts = (): ReadonlyMap<string, unknown> =>
  new Map(
    filesBelow('data/carts', '.json').map((path) => [
      path.slice('data/carts/'.length, -'.json'.length),
      readJson(path),
    ]),
  );

/** File name without its ending -> the callback of Shopify in it. */
export const readCallbacks = (): ReadonlyMap<string, unknown> =>
  new Map(
    filesBelow('data/shopify', '.json').map((path) => [
      path.slice('data/shopify/'.length, -'.json'.length),
      readJson(path),
    ]),
  );
