/** `completion`: a script with which a shell completes commands, options, their choices, and files. */
import { type Command, type CommandSpec, type CommandTable, optionsOf, print } from './command.ts';

/** A command as the shells complete it. */
interface Completed {
  /** One or two. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Of its argument; no command has two. Null without one. */
  readonly values: Values | null;
}

interface CompletedOption {
  readonly name: string;
  readonly description: string;
  /** Null for a switch. */
  readonly values: Values | null;
}

/** What is offered as a value: these texts, the names of files, or nothing. */
type Values = readonly string[] | 'files';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };
const SHELL_NAMES = Object.keys(SHELLS) as (keyof typeof SHELLS)[];

export const command: Command = {
  arguments: [{ name: 'SHELL', description: 'The shell', choices: SHELL_NAMES }],
  notes: () =>
    'bash: source <(ratewright completion bash)            in ~/.bashrc\n' +
    'zsh:  source <(ratewright completion zsh)             in ~/.zshrc, after compinit\n' +
    'fish: ratewright completion fish | source             in ~/.config/fish/config.fish\n',
  async run(input, commands) {
    const shell = SHELL_NAMES.find((name) => name === input.requiredArgument(0)) ?? 'bash';
    print(await completionScript(shell, commands));
  },
};

export async function completionScript(shell: keyof typeof SHELLS, commands: CommandTable): Promise<string> {
  const completed = Object.entries(commands).map(async ([name, { summary, load }]) =>
    completedOf(name.split(' '), summary, await load()),
  );
  return SHELLS[shell](await Promise.all(completed));
}

function completedOf(words: readonly string[], summary: string, spec: CommandSpec): Completed {
  const options = Object.entries(optionsOf(spec)).map(([name, { value, description, choices }]) => ({
    name: `--${name}`,
    description,
    values: valuesOf(value, choices),
  }));
  const [argument] = spec.arguments ?? [];
  return { words, summary, options, values: valuesOf(argument?.name, argument?.choices) };
}

function valuesOf(name: string | undefined, choices: readonly string[] = []): Values | null {
  if (name === undefined) return null;
  return name === 'FILE' ? 'files' : choices;
}

/** The first words of commands, each with the second ones; none where the first is the whole command. */
function groupsOf(commands: readonly Completed[]): ReadonlyMap<string, readonly Completed[]> {
  const firsts = [...new Set(commands.map(({ words }) => words[0] ?? ''))];
  const withFirst = (first: string) =>
    commands.filter(({ words: [word, second] }) => word === first && second !== undefined);
  return new Map(firsts.map((first) => [first, withFirst(first)]));
}

const lastWord = ({ words }: Completed): string => words.at(-1) ?? '';

/** The summary of a command, or the commands of a group. */
const summaryOf = (commands: readonly Completed[], first: string, group: readonly Completed[]): string =>
  group.length > 0
    ? group.map(lastWord).join(', ')
    : (commands.find(({ words }) => words[0] === first)?.summary ?? '');

/** Runs in bash 3.2, too, which macOS has. */
function bashScript(commands: readonly Completed[]): string {
  const groups = groupsOf(commands);
  const offer = (values: Values | null): string =>
    values === 'files' ? '_ratewright_files' : `_ratewright_words '${values?.join(' ') ?? ''}'`;
  const groupCases = [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([first, group]) => `    ${first}) second='${group.map(lastWord).join(' ')}' ;;`);
  const valueCases = commands.flatMap(({ words, options }) =>
    options.flatMap(({ name, values }) =>
      values === null ? [] : [`    '${words.join(' ')} ${name}') ${offer(values)}; return ;;`],
    ),
  );
  const commandCases = commands.map(({ words, options, values }) => {
    const names = options.map(({ name }) => name).join(' ');
    return `    '${words.join(' ')}') options='${names}'; ${offer(values)} ;;`;
  });
  return `# Completes ratewright in bash.
_ratewright_words() {
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}

_ratewright_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$current"))
  compopt -o filenames 2>/dev/null
}

_ratewright() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  local command=\${COMP_WORDS[1]} second= options=
  # bash takes --view=staged for three words.
  if [[ $current == = ]]; then current=
  elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _ratewright_words '${[...groups.keys(), '--help', '--version'].join(' ')}'
    return
  fi
  case $command in
${groupCases.join('\n')}
  esac
  if [[ $second ]]; then
    if ((COMP_CWORD == 2)); then _ratewright_words "$second --help"; return; fi
    command+=" \${COMP_WORDS[2]}"
  fi
  case "$command $before" in
${valueCases.join('\n')}
  esac
  case $command in
${commandCases.join('\n')}
  esac
  if [[ $current == -* ]]; then _ratewright_words "$options"; fi
}

complete -F _ratewright ratewright
`;
}

function zshScript(commands: readonly Completed[]): string {
  const groups = groupsOf(commands);
  // Backslashes keep the signs that end a part of what zsh reads.
  const part = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&');
  const action = (values: Values): string =>
    values === 'files' ? '_files' : values.length === 0 ? ' ' : `(${values.join(' ')})`;
  const described = (word: string, text: string): string => quoted(`${word}:${text}`);
  const argumentsOf = ({ options, values }: Completed): string =>
    [
      ...options.map(({ name, description, values: offered }) =>
        quoted(
          `${name}[${part(description)}]${offered === null ? '' : `:${name.slice(2)}:${action(offered)}`}`,
        ),
      ),
      ...(values === null ? [] : [quoted(`1:argument:${action(values)}`)]),
    ].join(' ');
  const cases = [...groups].map(([first, group]) => {
    if (group.length === 0) {
      const alone = commands.find(({ words }) => words[0] === first);
      return `    ${first}) _arguments ${alone === undefined ? '' : argumentsOf(alone)} ;;`;
    }
    const seconds = group.map((each) => described(lastWord(each), each.summary)).join(' ');
    const below = group.map((each) => `        ${lastWord(each)}) _arguments ${argumentsOf(each)} ;;`);
    return `    ${first})
      if ((CURRENT == 2)); then
        commands=(${seconds})
        _describe -t commands command commands
        return
      fi
      shift words
      ((CURRENT--))
      case $words[1] in
${below.join('\n')}
      esac ;;`;
  });
  const firsts = [...groups].map(([first, group]) => described(first, summaryOf(commands, first, group)));
  return `#compdef ratewright
# Completes ratewright in zsh.
_ratewright() {
  local -a commands
  if ((CURRENT == 2)); then
    commands=(${firsts.join(' ')})
    _describe -t commands command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
  esac
}

if [[ $funcstack[1] == _ratewright ]]; then _ratewright "$@"
else compdef _ratewright ratewright
fi
`;
}

function fishScript(commands: readonly Completed[]): string {
  const groups = groupsOf(commands);
  const line = (condition: string, ...rest: string[]): string =>
    ['complete -c ratewright', `-n '${condition}'`, ...rest].join(' ');
  const wordLine = (after: string, word: string, summary: string): string =>
    line(`__ratewright_is ${after}`.trimEnd(), `-a ${word}`, `-d ${quoted(summary)}`);
  const offer = (values: Values | null): string[] =>
    values === 'files' ? ['-F'] : values === null || values.length === 0 ? [] : [`-a '${values.join(' ')}'`];
  const lines = [
    ...[...groups].flatMap(([first, group]) => [
      wordLine('', first, summaryOf(commands, first, group)),
      ...group.map((each) => wordLine(first, lastWord(each), each.summary)),
    ]),
    ...commands.flatMap(({ words, options, values }) => {
      const begins = `__ratewright_begins ${words.join(' ')}`;
      const optionLines = options.map(({ name, description, values: offered }) => {
        const takes = offered === null ? [] : [offered === 'files' ? '-r' : '-x', ...offer(offered)];
        return line(begins, `-l ${name.slice(2)}`, ...takes, `-d ${quoted(description)}`);
      });
      return offer(values).length === 0 ? optionLines : [...optionLines, line(begins, ...offer(values))];
    }),
  ];
  return `# Completes ratewright in fish.
function __ratewright_is
    set -l given (commandline -opc)
    set -e given[1]
    test "$given" = "$argv"
end

function __ratewright_begins
    set -l given (commandline -opc)
    set -e given[1]
    for word in $argv
        test "$given[1]" = $word; or return 1
        set -e given[1]
    end
end

complete -c ratewright -f
${lines.join('\n')}
`;
}

/** In single quotes, with none inside, since each shell writes those in another way. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;
