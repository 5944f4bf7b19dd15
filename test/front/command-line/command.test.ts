import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandInput, type CommandSpec, columns, helpOf } from '../../../src/front/command-line/command.ts';
import {
  CommandError,
  EXIT_CODES,
  reportErrors,
  usageError,
} from '../../../src/front/command-line/exit-code.ts';
import { readSettings } from '../../../src/front/settings.ts';
import { AuthorityUnavailableError } from '../../../src/store/log/authority.ts';
import { UnusableDataFileError } from '../../../src/store/log/event-log.ts';
import { CopyRefusedError } from '../../../src/store/log/log-copy.ts';

const spec: CommandSpec = {
  arguments: [
    { name: 'FILE', description: 'The file' },
    { name: 'MORE', description: 'Another', isOptional: true },
  ],
  options: { shop: { value: 'ID', description: 'The shop' }, json: { description: 'Print JSON' } },
};
const inputOf = (...args: string[]) => new CommandInput(spec, args, readSettings({}));

test('arguments, options and switches are read by name and place', () => {
  const input = inputOf('a', '--shop', 's', '--json');
  assert.equal(input.requiredArgument(0), 'a');
  assert.equal(input.argument(1), undefined);
  assert.equal(input.requiredOption('shop'), 's');
  assert.equal(input.hasSwitch('json'), true);
  assert.equal(inputOf('-').hasSwitch('json'), false);
});

test('arguments that a command does not accept are a usage error of one line', () => {
  for (const args of [[], ['a', 'b', 'c'], ['a', '--unknown'], ['a', '--json=yes'], ['a', '--shop']]) {
    assert.throws(
      () => inputOf(...args),
      (error: unknown) =>
        error instanceof CommandError &&
        error.exitCode === EXIT_CODES.usage &&
        error.message !== '' &&
        !error.message.includes('\n'),
      args.join(' '),
    );
  }
  assert.throws(() => inputOf('a').requiredOption('shop'), /^CommandError: --shop ID is missing$/);
});

test('a value may begin with a dash, and a missing or unwanted value is named with what is taken', () => {
  assert.equal(inputOf('a', '--shop', '-1').option('shop'), '-1');
  assert.equal(inputOf('a', '--shop', '-').option('shop'), '-');
  assert.equal(inputOf('a', '--shop=--json').option('shop'), '--json');
  assert.deepEqual(
    [inputOf('--', '--shop').argument(0), inputOf('--shop=', 'a').option('shop')],
    ['--shop', ''],
  );
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [['a', '--shop'], '--shop takes a value, ID'],
    [
      ['a', '--shop', '--json'],
      '--shop takes a value, ID; a value that begins with -- is given as --shop=ID',
    ],
    [['a', '--json=yes'], '--json takes no value'],
    [['a', '--shops', 's'], 'there is no option --shops'],
    [['a', '--toString=s'], 'there is no option --toString'],
    [['a', '-1'], 'there is no option -1'],
  ];
  for (const [args, message] of refusals) assert.throws(() => inputOf(...args), { message });
});

test('the help lists the arguments and options of the command', () => {
  assert.equal(
    helpOf('thing', 'Do a thing', spec),
    `Do a thing.

Usage: ratewright thing FILE [MORE] [options]

  FILE       The file
  MORE       Another
  --shop ID  The shop
  --json     Print JSON
  --help     Print this help
`,
  );
});

test('columns are as wide as their widest cell', () => {
  assert.deepEqual(
    columns([
      ['A', 'B'],
      ['long', 'b'],
    ]),
    ['A     B', 'long  b'],
  );
});

test('the kind of an error decides the exit code, and its message is one line', async (context) => {
  const written: string[] = [];
  context.mock.method(process.stderr, 'write', (text: string) => written.push(text));
  const exitCode = (error: Error) =>
    reportErrors(
      () => 'move',
      () => Promise.reject(error),
    );
  assert.equal(await exitCode(new CopyRefusedError('in\nuse')), 1);
  assert.equal(await exitCode(new AuthorityUnavailableError('no answer')), 1);
  assert.equal(await exitCode(usageError('--to is missing')), 64);
  assert.equal(await exitCode(new UnusableDataFileError('not a log')), 65);
  assert.equal(await exitCode(new Error('a bug')), 70);
  assert.deepEqual(written, [
    'ratewright move: in use\n',
    'ratewright move: no answer\n',
    'ratewright move: --to is missing (see ratewright move --help)\n',
    'ratewright move: not a log\n',
    'ratewright move: a bug\n',
  ]);
});
