/** A command: its arguments and options, the help derived from them, and its action. */
import { writeFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Settings } from '../settings.ts';
import { CommandError, usageError } from './exit-code.ts';
import { type Paint, paintFor } from './terminal.ts';

export interface CommandOption {
  readonly description: string;
  /** Name of its value in the help; an option without one is a switch. */
  readonly value?: string;
  /** Nothing else is accepted. */
  readonly choices?: readonly string[];
}

interface CommandArgument {
  readonly name: string;
  readonly description: string;
  readonly isOptional?: boolean;
}

export interface CommandSpec {
  readonly arguments?: readonly CommandArgument[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** The end of the help. */
  readonly notes?: () => string;
}

/** An option as it was given. */
interface OptionToken {
  readonly name: string;
  /** With its dashes. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** Whether name and value are one argument, `--name=value`; undefined without a value. */
  readonly inlineValue: boolean | undefined;
}

export interface Command extends CommandSpec {
  run(input: CommandInput): Promise<void>;
}

export interface CommandRow {
  /** One line for the list of commands and the beginning of the help. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Of every command that prints a result. */
export const JSON_OPTION: CommandOption = { description: 'Print the result as one JSON value' };

const HELP: CommandOption = { description: 'Print this help' };

/** The arguments of one call, checked against the command's table. */
export class CommandInput {
  readonly settings: Settings;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #positionals: readonly string[];
  readonly #spec: CommandSpec;

  /** Throws `CommandError` (usage) for what the command does not accept. */
  constructor(spec: CommandSpec, args: readonly string[], settings: Settings) {
    const options: ParseArgsConfig['options'] = {};
    for (const [name, { value }] of Object.entries(spec.options ?? {})) {
      options[name] = { type: value === undefined ? 'boolean' : 'string' };
    }
    const parsed = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: false,
      tokens: true,
    });
    for (const token of parsed.tokens) if (token.kind === 'option') assertTaken(spec, token);
    const accepted = spec.arguments ?? [];
    const missing = accepted[parsed.positionals.length];
    if (missing !== undefined && missing.isOptional !== true) throw usageError(`${missing.name} is missing`);
    if (parsed.positionals.length > accepted.length) {
      throw usageError(`${parsed.positionals[accepted.length]} is one argument too many`);
    }
    for (const [name, { choices }] of Object.entries(spec.options ?? {})) {
      assertChosen(`--${name}`, choices, parsed.values[name]);
    }
    this.settings = settings;
    this.#values = parsed.values;
    this.#positionals = parsed.positionals;
    this.#spec = spec;
  }

  option(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  requiredOption(name: string): string {
    const value = this.option(name);
    if (value === undefined) throw usageError(`--${name} ${this.#spec.options?.[name]?.value} is missing`);
    return value;
  }

  /** The option, if given, of which these are the choices. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const given = this.option(name);
    return choices.find((each) => each === given);
  }

  hasSwitch(name: string): boolean {
    return this.#values[name] === true;
  }

  argument(index: number): string | undefined {
    return this.#positionals[index];
  }

  requiredArgument(index: number): string {
    return this.#positionals[index] ?? '';
  }
}

/**
 * Throws `CommandError` for an option that the command does not have, and for one whose value is missing or too many. A value
 * may begin with a dash, as negative numbers do. With two dashes it is most likely the next option, so it must be given as
 * `--name=--value`.
 */
function assertTaken(
  { options = {} }: CommandSpec,
  { name, rawName, value, inlineValue }: OptionToken,
): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw usageError(`there is no option ${rawName}`);
  if (option.value === undefined) {
    if (value !== undefined) throw usageError(`${rawName} takes no value`);
  } else if (value === undefined || (inlineValue === false && value.startsWith('--'))) {
    const advice =
      value === undefined ? '' : `; a value that begins with -- is given as ${rawName}=${option.value}`;
    throw usageError(`${rawName} takes a value, ${option.value}${advice}`);
  }
}

function assertChosen(name: string, choices: readonly string[] | undefined, given: unknown): void {
  if (choices === undefined || given === undefined || choices.some((choice) => choice === given)) return;
  throw usageError(`${name} must be one of ${choices.join(', ')}`);
}

/** The help of a command; `summary` is its row in the table. */
export function helpOf(name: string, summary: string, spec: CommandSpec): string {
  const accepted = spec.arguments ?? [];
  const usage = accepted.map((argument) => (argument.isOptional ? `[${argument.name}]` : argument.name));
  const described = ({ description, choices }: CommandOption): string =>
    choices === undefined ? description : `${description}; one of ${choices.join(', ')}`;
  const table = columns([
    ...accepted.map((argument) => [`  ${argument.name}`, argument.description]),
    ...Object.entries({ ...spec.options, help: HELP }).map(([option, taken]) => [
      `  --${option}${taken.value === undefined ? '' : ` ${taken.value}`}`,
      described(taken),
    ]),
  ]);
  const call = ['ratewright', name, ...usage, '[options]'].join(' ');
  const notes = spec.notes === undefined ? '' : `\n${spec.notes()}`;
  return `${summary}.\n\nUsage: ${call}\n\n${table.join('\n')}\n${notes}`;
}

type Output = string | readonly string[];

/**
 * Writes the result of a command to standard output. Throws `CommandError` when that fails, as on a full disk. A closed
 * pipe is not an error: a reader such as `head` stops early.
 */
export function print(output: Output): void {
  const text = typeof output === 'string' ? output : output.join('\n');
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  const error: NodeJS.ErrnoException | null = process.stdout.errored;
  if (error === null || error.code === 'EPIPE') return;
  throw new CommandError(`standard output cannot be written: ${error.message}`);
}

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Prints the result as JSON with `--json`, else as `shown` writes it, with colours if the terminal has them. */
export function printResult(input: CommandInput, result: unknown, shown: (paint: Paint) => Output): void {
  if (input.hasSwitch('json')) printJson(result);
  else print(shown(paintFor(process.stdout)));
}

/** Writes JSON to a file. Throws `CommandError` when it cannot be written. */
export function writeJson(path: string, value: unknown): void {
  try {
    writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Lines with aligned columns, the first row the header. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const cellsOf = (row: readonly string[]) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0));
  return rows.map((row) => cellsOf(row).join('  ').trimEnd());
}
