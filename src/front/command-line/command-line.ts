/** Finds and runs the command that the arguments name. Any error is one line on standard error. */
import { CommandInput, type CommandRow, columns, helpOf, print } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { type ExitCode, reportErrors, usageError } from './exit-code.ts';

/** Resolves with the exit code; never rejects. */
export async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  let name = '';
  return reportErrors(
    () => name,
    async () => {
      const [first = 'help', second] = args;
      if (isHelp(first) || first === 'help') print(overview(Object.keys(COMMANDS)));
      else if (first === '--version') print(await versionText());
      else if (isHelp(second) && groupOf(first).length > 0) print(overview(groupOf(first)));
      else {
        name = commandName(args);
        await runCommand(name, args.slice(name.split(' ').length));
      }
    },
  );
}

async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const { summary, load } = COMMANDS[name] as CommandRow;
  const command = await load();
  if (args.some(isHelp)) {
    print(helpOf(name, summary, command));
    return;
  }
  const { readSettings } = await import('../settings.ts');
  await command.run(new CommandInput(command, args, readSettings()));
}

const isHelp = (arg: string | undefined): boolean => arg === '--help' || arg === '-h';

/** The commands of which `first` is the first of two words. */
const groupOf = (first: string): string[] =>
  Object.keys(COMMANDS).filter((name) => name.startsWith(`${first} `));

/** The command that the arguments begin with. */
function commandName([first = '', second = '']: readonly string[]): string {
  for (const name of [`${first} ${second}`, first]) if (Object.hasOwn(COMMANDS, name)) return name;
  const group = groupOf(first);
  if (group.length > 0) throw usageError(`say which: ${group.join(', ')}`);
  throw usageError(`there is no command ${printable(first)}; 'ratewright --help' lists them`);
}

function overview(names: readonly string[]): string {
  const rows = names.map((name) => [`  ${name}`, COMMANDS[name]?.summary ?? '']);
  return `Usage: ratewright COMMAND [options]\n\n${columns(rows).join('\n')}\n\nEach command answers --help; --version tells the version.\n`;
}

/** With the version of Node, which decides on the binaries. */
async function versionText(): Promise<string> {
  const { packageVersion } = await import('../../base/runtime/package-files.ts');
  return `ratewright ${packageVersion()} (Node ${process.version})`;
}

const printable = (text: string): string => text.slice(0, 64).replace(/[^\x20-\x7e]/g, '?');
