/** The service of a command, in this process: what operators do to a real log. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { conflict } from '../../../src/engine/domain/failure.ts';
import {
  type CallOutcome,
  createOperator,
  type RatewrightOperator,
} from '../../../src/front/client/client.ts';
import { startForCommand } from '../../../src/front/operator/command-service.ts';
import { claimFolder, DataFolderServedError } from '../../../src/front/operator/folder-socket.ts';
import { OperatorService } from '../../../src/front/operator/operator-service.ts';
import { readSettings } from '../../../src/front/settings.ts';
import { answered, temporaryFolder } from '../../support/server-process.ts';

type Service = Awaited<ReturnType<typeof startForCommand>>;

let root: Awaited<ReturnType<typeof temporaryFolder>>;
const settingsOf = (folder: string) => readSettings({ RATEWRIGHT_DATA: folder });

before(async () => {
  root = await temporaryFolder();
});
after(() => root.discard());

async function inFolder<T>(
  folder: string,
  use: (operator: RatewrightOperator, service: Service) => Promise<T>,
) {
  const service = await startForCommand(settingsOf(folder));
  const operator = createOperator({ socketPath: service.socketPath, retriesMax: 0 });
  try {
    return await Promise.race([use(operator, service), service.failure]);
  } finally {
    await operator.close();
    await service.close();
  }
}

function refusal<T>(outcome: CallOutcome<T>): string {
  assert.ok(!outcome.ok);
  return `${outcome.code}: ${outcome.message}`;
}

const NEW_SHOP = {
  ...{ name: 'Corner shop', currency: 'EUR', timezone: 'Europe/Berlin' },
  key: { label: 'Setup', permission: 'admin' },
} as const;

test('a shop and its first key are made in one step, and once: also when the request comes again', async () => {
  const folder = join(root.path, 'made');
  const idempotencyKey = 'make-the-shop';
  const first = await inFolder(folder, async (operator) => {
    const create = (body: object) => operator.shops.create(body as typeof NEW_SHOP, { idempotencyKey });
    const made = answered(await create(NEW_SHOP));
    assert.deepEqual(answered(await create(NEW_SHOP)), made);
    assert.match(refusal(await create({ ...NEW_SHOP, name: 'Other' })), /^CONFLICT: this Idempotency-Key /);
    assert.match(
      refusal(await operator.shops.create({ ...NEW_SHOP, id: made.shop.id })),
      /^CONFLICT: there is a shop shop_[0-9a-f]{26} already, or was one$/,
    );
    const keys = answered(await operator.shop(made.shop.id).listKeys()).keys;
    assert.deepEqual(
      keys.map(({ id, permission }) => [id, permission]),
      [[made.key?.id, 'admin']],
    );
    return made;
  });
  // Of another process: the shop is there, and the secret in the kept answer is not for it.
  await inFolder(folder, async (operator) => {
    const again = await operator.shops.create(NEW_SHOP, { idempotencyKey });
    assert.match(refusal(again), /^CONFLICT: .*the answer holds a secret$/);
    const { shops } = answered(await operator.shops.list());
    assert.deepEqual(shops, [first.shop]);
  });
  assert.doesNotMatch(readFileSync(join(folder, 'data.mdb'), 'latin1'), new RegExp(first.key?.secret ?? '-'));
});

test('what a new shop cannot have is refused by its path, and nothing is made', async () => {
  await inFolder(join(root.path, 'refused'), async (operator) => {
    const expiresAt = '2099-01-01T00:00:00Z';
    for (const [change, message] of [
      [{ currency: 'XXY' }, /^VALIDATION_ERROR: \/currency must be an ISO 4217 currency code/],
      [{ timezone: 'Mars/Base' }, /^VALIDATION_ERROR: \/timezone must be /],
      [{ plan: 'gold' }, /^VALIDATION_ERROR: \/plan must be one of starter, /],
      [{ id: 'a b' }, /^VALIDATION_ERROR: \/id must be an id/],
      [{ key: { label: 'K' } }, /^VALIDATION_ERROR: \/key\/permission is required/],
      [
        { key: { ...NEW_SHOP.key, expiresAt } },
        /^VALIDATION_ERROR: \/key\/expiresAt must be at most 5 years/,
      ],
      [{ secret: 1 }, /^VALIDATION_ERROR: \/secret is not a field that is accepted here/],
    ] as const) {
      const outcome = await operator.shops.create({ ...NEW_SHOP, ...change } as typeof NEW_SHOP);
      assert.match(refusal(outcome), message);
    }
    assert.deepEqual(answered(await operator.shops.list()).shops, []);
    assert.equal(answered(await operator.status()).shops, 0);
  });
});

test('a deleted shop is gone with its keys, and is deleted only once', async () => {
  const folder = join(root.path, 'deleted');
  await inFolder(folder, async (operator) => {
    for (const id of ['shop_a', 'shop_b']) answered(await operator.shops.create({ ...NEW_SHOP, id }));
    answered(await operator.shop('shop_a').createGroup({ name: 'Heavy' }));
    assert.deepEqual(answered(await operator.shops.delete('shop_a')), { deleted: true, id: 'shop_a' });
    assert.deepEqual(answered(await operator.shops.delete('shop_a')), { deleted: true, id: 'shop_a' });
    assert.equal(refusal(await operator.shop('shop_a').listGroups()), 'NOT_FOUND: Shop not found: shop_a');
    assert.equal(refusal(await operator.shops.delete('shop_c')), 'NOT_FOUND: Shop not found: shop_c');
    assert.match(
      refusal(await operator.shops.create({ ...NEW_SHOP, id: 'shop_a' })),
      /^CONFLICT: there is a shop shop_a already, or was one$/,
    );
    const { shops } = answered(await operator.shops.list());
    assert.deepEqual(
      shops.map(({ id }) => id),
      ['shop_b'],
    );
  });
});

test('a shop whose writes wait is not deleted', async () => {
  const service = new OperatorService({
    shops: { peek: () => ({ isBusy: true }) },
    log: { shared: null },
    clock: { monotonicMs: () => 0 },
  } as never);
  assert.deepEqual(
    await service.deleteShop('shop_a'),
    conflict('writes of shop shop_a are waiting: try again'),
  );
});

test('a backup is a whole log in another folder, and nothing of it is left beside the log', async () => {
  const folder = join(root.path, 'source');
  const restored = join(root.path, 'restored');
  const shops = await inFolder(folder, async (operator) => {
    answered(await operator.shops.create(NEW_SHOP));
    const parts: Uint8Array[] = [];
    for await (const part of answered(await operator.backup())) parts.push(part);
    await mkdir(restored);
    writeFileSync(join(restored, 'data.mdb'), Buffer.concat(parts));
    const [one, two] = await Promise.all([operator.verify(), operator.verify()]);
    const refused = [one, two].find(({ ok }) => !ok);
    assert.match(refusal(refused ?? assert.fail('both were done')), /^CONFLICT: .* is under way/);
    return answered(await operator.shops.list()).shops;
  });
  assert.deepEqual(readdirSync(folder).sort(), ['clean', 'data.mdb', 'format', 'lock.mdb']);
  await inFolder(restored, async (operator) => {
    assert.deepEqual(answered(await operator.shops.list()).shops, shops);
  });
});

test('damage is part of the report, and no backup is made of it', async () => {
  const folder = join(root.path, 'damaged');
  await inFolder(folder, async (operator) => {
    answered(await operator.shops.create({ ...NEW_SHOP, id: 'shop_a' }));
    const file = join(folder, 'data.mdb');
    const text = readFileSync(file, 'latin1');
    writeFileSync(file, text.replaceAll('Corner shop', 'Corner shoq'), { encoding: 'latin1', flag: 'r+' });
    const { defects } = answered(await operator.verify());
    assert.ok(defects.some(({ shopId, sequenceNumber }) => shopId === 'shop_a' && sequenceNumber === 1));
    assert.match(refusal(await operator.backup()), /^CONFLICT: .*shop_a/);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('backup')),
      [],
    );
  });
});

test('one process works on a folder: the next command waits, and beside a server it is refused', async (context) => {
  const folder = join(root.path, 'shared');
  const steps: string[] = [];
  const next = inFolder(folder, async (operator) => {
    answered(await operator.shops.create({ ...NEW_SHOP, id: 'shop_a' }));
    const waiting = inFolder(folder, async (other) => {
      steps.push('next');
      return answered(await other.shops.list()).shops.length;
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
    steps.push('first');
    return { waiting };
  });
  assert.equal(await (await next).waiting, 1);
  assert.deepEqual(steps, ['first', 'next']);
  const socket = createServer();
  const server = await claimFolder(folder, 'server', {
    listen: (path) => new Promise((resolve) => socket.listen(path, resolve)),
    stop: () => {},
  });
  context.after(() => socket.close(server.release));
  await assert.rejects(startForCommand(settingsOf(folder)), DataFolderServedError);
});
