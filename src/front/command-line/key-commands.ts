/** `key create`, `key list`, `key revoke`: API keys of a shop. */

import { KEY_YEARS_MAX } from '../../engine/domain/api-key.ts';
import { PERMISSIONS } from '../../engine/domain/permission.ts';
import { withoutUndefined } from '../client/caller.ts';
import { type Command, columns, JSON_OPTION, printResult } from './command.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';

export const keyCreate: Command = {
  options: {
    label: { value: 'TEXT', description: 'What the key is for' },
    permission: {
      value: 'PERMISSION',
      description: 'What the key may do (default: admin)',
      choices: PERMISSIONS,
    },
    expires: {
      value: 'TIME',
      description: `ISO time from which the key is refused, at most ${KEY_YEARS_MAX} years ahead (default: never)`,
    },
    ...SHOP_OPTIONS,
    json: JSON_OPTION,
  },
  async run(input) {
    const permission = input.choice('permission', PERMISSIONS) ?? 'admin';
    const label = input.option('label') ?? 'Made on the command line';
    const body = { label, permission, ...withoutUndefined({ expiresAt: input.option('expires') }) };
    await withShop(input, async (client) => {
      const { key, secret } = answered(await client.createKey(body));
      printResult(input, { key, secret }, () => [secret, `${key.id}: ${permission} key, shown only now`]);
    });
  },
};

export const keyList: Command = {
  options: { ...SHOP_OPTIONS, json: JSON_OPTION },
  async run(input) {
    await withShop(input, async (client) => {
      const { keys } = answered(await client.listKeys());
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
    });
  },
};

export const keyRevoke: Command = {
  arguments: [{ name: 'KEY_ID', description: 'Id of the key' }],
  options: { ...SHOP_OPTIONS, json: JSON_OPTION },
  async run(input) {
    const id = input.requiredArgument(0);
    await withShop(input, async (client) => {
      answered(await client.revokeKey(id));
      printResult(input, { revoked: id }, () => `${id} is revoked`);
    });
  },
};
