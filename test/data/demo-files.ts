/** The demo shop and the example carts of `data/`, read once for every test that needs them. */
import { readdirSync, readFileSync } from 'node:fs';

/** The folder of package.json, seen from the compiled file in `dist/test/data/`. */
export const projectRoot = new URL('../../../', import.meta.url);

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(path, projectRoot), 'utf8'));

/** The file's content as it stands; what it must look like is what the tests check. */
export const readDemoShop = (): unknown => readJson('data/demo-shop.json');

/** File name without its ending -> the simulate request in it. */
export const readCarts = (): ReadonlyMap<string, unknown> =>
  new Map(
    readdirSync(new URL('data/carts/', projectRoot))
      .sort()
      .map((file) => [file.replace(/\.json$/, ''), readJson(`data/carts/${file}`)]),
  );
