/**
 * A shop and carts of the reader's own, from files. Everything is checked before anything is measured: the shape of
 * the configuration, what its records refer to, the shape of every cart, and that the shop answers it. What cannot be
 * used is a `UsageError` that names the file and the first defect.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import Type from '#typebox';
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import { SimulateRequest } from '../../src/engine/domain/cart.ts';
import { ShopSettings } from '../../src/engine/domain/shop.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import { evaluate } from '../../src/engine/evaluate/evaluate.ts';
import type { SimulateAnswer } from '../../src/engine/wire/answer.ts';
import { snapshotOf } from '../../src/engine/wire/record-view.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';
import { ConfigData } from '../../src/engine/wire/write-bodies.ts';
import { type OwnShopPaths, UsageError } from '../command-line.ts';
import { NOW_MS, type Profile } from './profile.ts';
import { decideShop } from './shop-state.ts';

/** Carts are held in memory, by the load generator once more. */
export const CARTS_MAX = 10_000;
const JSON_LINES = ['.jsonl', '.ndjson'];
/** An export does not name them. */
const DEFAULT_SETTINGS: Profile['settings'] = { currency: 'USD', timezone: 'UTC' };

const { currency, timezone } = ShopSettings.properties;
/** The form of data/demo-shop.json. */
const ShopFile = Type.Object({ shop: Type.Object({ currency, timezone }), config: ConfigData });
const checkShopFile = compileSchema(ShopFile);
const checkConfig = compileSchema(ConfigData);
const checkCart = compileSchema(SimulateRequest);

/** The profile `own`. Throws `UsageError`. */
export function readOwnShop({ shop: shopPath, carts: cartsPath }: OwnShopPaths): Profile {
  const { settings, config } = readShop(shopPath);
  const carts = readCarts(cartsPath);
  const shop = compileShop(config, settings);
  let withoutRates = 0;
  for (const { name, cart } of carts) {
    const outcome = evaluate(shop, cart, NOW_MS);
    if (!outcome.ok) throw new UsageError(`${name} is refused by the shop: ${outcome.message}`);
    if ((JSON.parse(outcome.value) as SimulateAnswer).rates.length === 0) withoutRates++;
  }
  const rules = config.methods.reduce((sum, method) => sum + method.rules.length, 0);
  const counted = (count: number, what: string): string =>
    `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
  return {
    name: 'own',
    description:
      `${basename(shopPath)}, ${settings.currency}, ${settings.timezone}: ${counted(config.zones.length, 'zone')}, ` +
      `${counted(config.methods.length, 'method')}, ${counted(rules, 'rule')}; ${counted(carts.length, 'cart')}, ` +
      `${withoutRates} of them without rates`,
    settings,
    config,
    requests: carts.map(({ cart }) => cart),
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${(cause as Error).message}`);
  }
}

/** `name` is the file, with the line where it has several documents. */
function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${name} is not JSON: ${(cause as Error).message.replaceAll(/\s+/g, ' ')}`);
  }
}

function readShop(path: string): Pick<Profile, 'settings' | 'config'> {
  const value = parseJson(path, readText(path));
  const { settings, data } = readShopFile(path, value);
  const state = decideShop(settings, data);
  if (!state.ok) throw new UsageError(`${path} is no configuration: ${state.message}`);
  const { versionId: _, ...config } = snapshotOf(state.value.config as ShopConfig, '');
  return { settings, config: config as ShopConfig };
}

function readShopFile(path: string, value: unknown): { settings: Profile['settings']; data: ConfigData } {
  const hasSettings = typeof value === 'object' && value !== null && 'config' in value;
  if (!hasSettings && checkConfig.check(value)) return { settings: DEFAULT_SETTINGS, data: value };
  if (hasSettings && checkShopFile.check(value)) {
    const { shop, config } = value;
    return { settings: { currency: shop.currency, timezone: shop.timezone }, data: config };
  }
  const [defect] = (hasSettings ? checkShopFile : checkConfig).defects(value);
  throw new UsageError(`${path} is no configuration: ${defect}`);
}

export interface NamedCart {
  readonly name: string;
  readonly cart: SimulateRequest;
}

/** At least one. Throws `UsageError`. */
export function readCarts(path: string): readonly NamedCart[] {
  const carts: NamedCart[] = [];
  for (const file of cartFiles(path)) {
    for (const { name, text } of documentsOf(file)) {
      if (carts.length === CARTS_MAX) throw new UsageError(`${path} holds more than ${CARTS_MAX} carts`);
      const cart = parseJson(name, text);
      if (!checkCart.check(cart)) throw new UsageError(`${name} is no cart: ${checkCart.defects(cart)[0]}`);
      carts.push({ name, cart });
    }
  }
  if (carts.length === 0)
    throw new UsageError(`${path} holds no cart: a cart is a .json file, or a line of a .jsonl file`);
  return carts;
}

/** The files of a folder in the order of their names, or the file itself. */
function cartFiles(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter((file) => ['.json', ...JSON_LINES].includes(extname(file)))
      .sort()
      .map((file) => join(path, file));
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${(cause as Error).message}`);
  }
}

function documentsOf(file: string): readonly { readonly name: string; readonly text: string }[] {
  const text = readText(file);
  if (!JSON_LINES.includes(extname(file))) return [{ name: file, text }];
  return text
    .split('\n')
    .map((line, at) => ({ name: `${file} line ${at + 1}`, text: line }))
    .filter((line) => line.text.trim() !== '');
}
