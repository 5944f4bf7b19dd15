import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageFolder } from '../../../src/base/runtime/package-files.ts';
import { settingsHelp } from '../../../src/front/command-line/serve-command.ts';
import {
  readFailpoint,
  readSettings,
  SETTINGS,
  type Setting,
  SettingsError,
  unknownSettings,
} from '../../../src/front/settings.ts';

const ROWS = Object.entries(SETTINGS) as [keyof typeof SETTINGS, Setting<unknown>][];

test('without variables every setting has its default', () => {
  const settings = readSettings({});
  for (const [key, setting] of ROWS) assert.equal(settings[key], setting.fallback, key);
  assert.equal(settings.port, 8080);
  assert.equal(settings.host, '127.0.0.1');
  assert.equal(settings.dataPath, 'data/db');
});

test('an empty variable counts as not set, and other variables are ignored', () => {
  const environment = Object.fromEntries(ROWS.map(([, setting]) => [setting.variable, '']));
  assert.deepEqual(readSettings({ ...environment, PATH: '/bin' }), readSettings({}));
});

const BOUNDED = ROWS.filter(([, setting]) => /^\d+ to \d+$/.test(setting.accepts));

test('every number is accepted at its bounds and refused beyond them', () => {
  assert.ok(BOUNDED.length > 5);
  for (const [key, setting] of BOUNDED) {
    const [min = 0, max = 0] = setting.accepts.split(' to ').map(Number);
    for (const good of [min, max]) {
      assert.equal(readSettings({ [setting.variable]: String(good) })[key], good);
    }
    for (const bad of [min - 1, max + 1, '1.5', 'x', ' 1', '1e3', '0x10', '']) {
      if (bad === '') continue;
      assert.throws(() => readSettings({ [setting.variable]: String(bad) }), SettingsError, `${key} ${bad}`);
    }
  }
});

const REFUSED: Partial<Record<keyof typeof SETTINGS, readonly string[]>> = {
  host: ['a b', 'http://localhost', 'x'.repeat(256)],
  dataPath: ['a\nb', 'x'.repeat(4_097)],
  plansPath: ['a\nb', 'x'.repeat(4_097)],
  demoKey: ['x'.repeat(15), 'x'.repeat(129), 'with a space inside', 'ключключключключ'],
  secretKey: ['x'.repeat(31), 'x'.repeat(257), `${'x'.repeat(32)} y`],
  operatorKey: ['x'.repeat(31), 'x'.repeat(257), `${'x'.repeat(32)} y`],
  logLevel: ['loud', 'INFO'],
  databaseUrl: ['localhost', 'mysql://a/b', 'postgres://'],
  databaseCopies: ['none', 'Standbys'],
  console: ['OFF', 'no'],
};
const ACCEPTED: Partial<Record<keyof typeof SETTINGS, readonly string[]>> = {
  host: ['0.0.0.0', '::1', 'localhost'],
  dataPath: ['.', 'spaces and ünïcode'],
  plansPath: ['plans.json'],
  demoKey: ['x'.repeat(16), '~'.repeat(128)],
  secretKey: ['x'.repeat(32), '~'.repeat(256)],
  operatorKey: ['x'.repeat(32), '~'.repeat(256)],
  logLevel: ['silent', 'debug'],
  databaseUrl: ['postgres://user:password@a:5432,b/rw'],
  databaseCopies: ['managed'],
  console: ['off', 'on'],
};

test('every other setting accepts and refuses its examples', () => {
  const others = ROWS.filter((row) => !BOUNDED.includes(row));
  for (const [key, setting] of others) {
    const refused = REFUSED[key] ?? [];
    assert.ok(refused.length > 0, key);
    for (const bad of refused) {
      assert.throws(() => readSettings({ [setting.variable]: bad }), SettingsError, `${key} ${bad}`);
    }
    for (const good of ACCEPTED[key] ?? []) {
      assert.equal(readSettings({ [setting.variable]: good })[key], good);
    }
  }
});

test('the failpoint of a test is read, and is no setting', () => {
  const variable = 'RATEWRIGHT_FAILPOINT';
  assert.equal(readFailpoint({}), null);
  assert.deepEqual(readFailpoint({ [variable]: 'before-append:3' }), { name: 'before-append', count: 3 });
  for (const bad of ['nowhere', 'before-append:0']) {
    assert.throws(() => readFailpoint({ [variable]: bad }), SettingsError);
  }
  assert.ok(ROWS.every(([, setting]) => setting.variable !== variable));
  assert.deepEqual(unknownSettings({ [variable]: 'before-append' }), []);
});

test('there are at most twenty settings', () => {
  assert.ok(ROWS.length <= 20, String(ROWS.length));
});

test('a bad value is named on one line that does not repeat it', () => {
  const secret = 'a secret with spaces';
  assert.throws(
    () => readSettings({ RATEWRIGHT_DEMO_KEY: secret }),
    (error: Error) =>
      /^RATEWRIGHT_DEMO_KEY .* 16 to 128 visible ASCII characters$/.test(error.message) &&
      !error.message.includes(secret) &&
      !error.message.includes('\n'),
  );
});

test('a variable with the prefix that is no setting is found', () => {
  const environment = { RATEWRIGHT_PROT: '1', RATEWRIGHT_PORT: '1', RATEWRIGHT_KEY: 'k', PORT: '1' };
  assert.deepEqual(unknownSettings(environment), ['RATEWRIGHT_PROT']);
});

test('the help names every setting with its default and its bound', () => {
  const lines = settingsHelp().trimEnd().split('\n');
  assert.equal(lines.length, ROWS.length);
  for (const [index, [, setting]] of ROWS.entries()) {
    const line = lines[index] ?? '';
    for (const part of [
      setting.variable,
      String(setting.fallback ?? 'not set'),
      setting.accepts,
      setting.description,
    ]) {
      assert.ok(line.includes(part), `${line} lacks ${part}`);
    }
  }
});

test('the folder of the package holds the data that comes with it', () => {
  assert.ok(existsSync(join(packageFolder(), 'data', 'plans.json')));
});
