/** `key create`, `key list`, `key revoke`: API keys of a shop, also while the server runs. */

import { newKeySecret, printOf } from '../../base/secrets/key-secret.ts';
import { KEY_YEARS_MAX } from '../../engine/domain/api-key.ts';
import { PERMISSIONS } from '../../engine/domain/permission.ts';
import { keyView } from '../../engine/wire/record-view.ts';
import { compileSchema } from '../../engine/wire/schema-check.ts';
import { KeyCreate } from '../../engine/wire/write-bodies.ts';
import { type Command, columns, JSON_OPTION, print, printResult } from './command.ts';
import { usageError } from './exit-code.ts';
import { SHOP_OPTION, withShop } from './open-shops.ts';

export const keyCreate: Command = {
  options: {
    label: { value: 'TEXT', description: 'What the key is for' },
    permission: { value: 'PERMISSION', description: `One of ${PERMISSIONS.join(', ')} (default: admin)` },
    expires: {
      value: 'TIME',
      description: `ISO time from which the key is refused, at most ${KEY_YEARS_MAX} years ahead (default: never)`,
    },
    shop: SHOP_OPTION,
    json: JSON_OPTION,
  },
  async run(input) {
    const permission = input.choice('permission', PERMISSIONS) ?? 'admin';
    const label = readLabel(input.option('label') ?? 'Made on the command line');
    const expiresAt = input.option('expires');
    await withShop(input, async (shop, shops) => {
      const secret = newKeySecret();
      const command = { kind: 'createKey', label, permission, expiresAt, ...printOf(secret) } as const;
      const result = await shops.write(shop, command);
      if (result.kind !== 'key') return;
      const { key } = result;
      const line = `${key.id}: ${permission} key of ${shop.shopId}, shown only now`;
      printResult(input, { key: keyView(key, null), secret }, () => [secret, line]);
    });
  },
};

/** The label, checked as the API does. */
function readLabel(label: string): string {
  const check = compileSchema(KeyCreate.properties.label);
  if (!check.check(label)) throw usageError(`--label must be ${check.accepts}`);
  return label;
}

export const keyList: Command = {
  options: { shop: SHOP_OPTION, json: JSON_OPTION },
  async run(input) {
    const keys = await withShop(input, async ({ state }, { log }) => {
      await log.refreshKeyUse?.(state.keys.map(({ id }) => id));
      return state.keys.map((key) => keyView(key, log.readKeyUse(key.id)));
    });
    const rows = keys.map((key) => [
      key.id,
      key.permission,
      `${key.prefix}...`,
      key.createdAt,
      key.lastUsedAt ?? 'never',
      key.expiresAt ?? 'never',
      key.label,
    ]);
    const head = ['ID', 'PERMISSION', 'SECRET', 'CREATED', 'LAST USED', 'EXPIRES', 'LABEL'];
    printResult(input, { keys }, () => columns([head, ...rows]));
  },
};

export const keyRevoke: Command = {
  arguments: [{ name: 'KEY_ID', description: 'Id of the key' }],
  options: { shop: SHOP_OPTION },
  async run(input) {
    const id = input.requiredArgument(0);
    await withShop(input, async (shop, shops) => {
      await shops.write(shop, { kind: 'revokeKey', id });
      print(`${id} is revoked`);
    });
  },
};
