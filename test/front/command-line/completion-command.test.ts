/** The scripts of `completion`, run by the shells that are there. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { optionsOf } from '../../../src/front/command-line/command.ts';
import { COMMANDS } from '../../../src/front/command-line/command-table.ts';
import { completionScript } from '../../../src/front/command-line/completion-command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const scripts = new Map<string, string>();

before(async () => {
  for (const shell of SHELLS) scripts.set(shell, await completionScript(shell, COMMANDS));
});

const folder = mkdtempSync(join(tmpdir(), 'ratewright-completion-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'cart one.json'), '');
mkdirSync(join(folder, 'carts'));

const isMissing = (shell: string): string | false =>
  spawnSync(shell, ['-c', ':']).status === 0 ? false : `no ${shell} here`;

/** What each of these lines is completed with at its end; an empty last word stands for one that is not begun. */
function completedInBash(lines: readonly (readonly string[])[]): string[][] {
  const calls = lines.map((words) => {
    const quoted = ['ratewright', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _ratewright; (IFS=,; echo "\${COMPREPLY[*]}")`;
  });
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['--norc', '-u', '-c', [scripts.get('bash'), ...calls].join('\n')],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.deepEqual([status, stderr], [0, '']);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => (line === '' ? [] : line.split(',')));
}

test('bash completes commands, options, choices and files', { skip: isMissing('bash') }, async () => {
  const cases: readonly (readonly [words: string[], completed: string[]])[] = [
    [['simu'], ['simulate']],
    [['s'], ['serve', 'shop', 'sweep', 'simulate', 'status']],
    [
      ['key', ''],
      ['create', 'list', 'revoke', '--help'],
    ],
    [
      ['shop', 'set'],
      ['set-plan', 'set-shopify-secret'],
    ],
    [
      ['simulate', '--v'],
      ['--view', '--version'],
    ],
    [
      ['simulate', '--view', ''],
      ['live', 'staged'],
    ],
    [['simulate', '--view', '=', 'st'], ['staged']],
    [
      ['simulate', '--view', '='],
      ['live', 'staged'],
    ],
    [['key', 'create', '--permission', 'w'], ['write']],
    [['key', 'create', '--label', ''], []],
    [['key', 'list', ''], []],
    [
      ['simulate', '--json', 'c'],
      ['cart one.json', 'carts'],
    ],
    [['export', '--output', 'cart '], ['cart one.json']],
    [['completion', ''], [...SHELLS]],
    [['fly', ''], []],
  ];
  const completed = completedInBash(cases.map(([words]) => words));
  for (const [index, [words, expected]] of cases.entries()) {
    assert.deepEqual(completed[index]?.toSorted(), expected.toSorted(), words.join(' '));
  }
});

test('bash completes each command with all of its options', { skip: isMissing('bash') }, async () => {
  const names = Object.keys(COMMANDS);
  const completed = completedInBash(names.map((name) => [...name.split(' '), '--']));
  for (const [index, name] of names.entries()) {
    const spec = await COMMANDS[name]?.load();
    const options = Object.keys(optionsOf(spec ?? {})).map((option) => `--${option}`);
    assert.deepEqual(completed[index]?.toSorted(), options.toSorted(), name);
  }
});

test('zsh reads its script', { skip: isMissing('zsh') }, () => {
  const { status, stderr } = spawnSync('zsh', ['-n', '-c', scripts.get('zsh') ?? ''], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
});

test('fish completes a choice', { skip: isMissing('fish') }, () => {
  const line = `${scripts.get('fish')}\ncomplete -C "ratewright simulate --view st"`;
  const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', line], { encoding: 'utf8' });
  assert.deepEqual([stdout, stderr], ['staged\n', '']);
});

test('every script has each command with each option and its choices, and no quote is left open', async () => {
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const { options = {} } = await load();
    for (const [shell, script] of scripts) {
      for (const word of name.split(' ')) assert.ok(script.includes(word), `${shell}: ${name}`);
      if (shell !== 'bash') assert.ok(script.includes(summary.replaceAll("'", '’')), `${shell}: ${summary}`);
      for (const [option, { choices = [] }] of Object.entries(options)) {
        assert.ok(script.includes(shell === 'fish' ? `-l ${option} ` : `--${option}`), `${shell}: ${option}`);
        assert.ok(script.includes(choices.join(' ')), `${shell}: ${choices}`);
      }
    }
  }
  for (const [shell, script] of scripts) {
    for (const line of script.split('\n').filter((each) => !each.startsWith('#'))) {
      assert.equal((line.match(/'/g)?.length ?? 0) % 2, 0, `${shell}: ${line}`);
    }
  }
});

test('every command that prints a result has --json', async () => {
  const without: string[] = [];
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    if (!Object.hasOwn((await load()).options ?? {}, 'json')) without.push(name);
  }
  assert.deepEqual(without, ['serve', 'completion']);
});
