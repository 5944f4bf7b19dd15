/** The options of `npm run bench`. */
import { closeSync, openSync } from 'node:fs';
import { readServiceOptions, SERVICE_OPTIONS, type ServiceOptions } from './service/options.ts';

export interface BenchOptions {
  /** A part is measured when its id contains all of these words; without words every part is. */
  readonly words: readonly string[];
  /** A shop and carts to measure in place of the built-in profiles; null = the built-in ones. */
  readonly ownShop: OwnShopPaths | null;
  /** Services that run already, to measure in place of the parts; null = the parts. */
  readonly service: ServiceOptions | null;
  /** Also runs the part that records a CPU profile; without words only that part. */
  readonly recordsProfile: boolean;
  readonly isQuick: boolean;
  /** Installs the peers when they are not there. */
  readonly withPeers: boolean;
  readonly jsonFile: string | null;
  /** Folder of the charts; null = none are written. */
  readonly chartsFolder: string | null;
  /** null = wrk when it is on the PATH, else undici. */
  readonly load: LoadToolName | null;
  readonly listsParts: boolean;
}

export interface OwnShopPaths {
  /** A JSON file with a configuration. */
  readonly shop: string;
  /** A folder of JSON files, a JSON file, or a file of JSON lines. */
  readonly carts: string;
}

const LOAD_TOOL_NAMES = ['wrk', 'undici', 'sockets'] as const;
export type LoadToolName = (typeof LOAD_TOOL_NAMES)[number];

export const BENCH_USAGE = `Usage: npm run bench -- [words...] [options]
       npm run bench -- --url URL --key KEY --carts PATH [--rate N] [--for TIME] [--against URL2 [--key2 KEY2]]
                        [--report FILE]

Measures every part, or those whose id holds all the words: npm run bench -- micro postal

  --shop FILE    measures this configuration in place of the built-in ones: what ratewright export or
                 GET /api/config gives, read in USD and UTC; or {"shop": {"currency": "EUR",
                 "timezone": "Europe/Berlin"}, "config": {...}}
  --carts PATH   the carts for --shop, simulate bodies: a folder of .json files, one .json file, or a .jsonl
                 file with one body per line
  --profile      records a CPU profile of the service under load (the part http/profile), after the parts
                 that the words name; without words it records that alone
  --quick        short rounds and small sizes: shows that everything runs, figures are rough
  --peers        installs the peers of the comparison when they are missing (bench/peers)
  --load TOOL    closed-loop load: ${LOAD_TOOL_NAMES.join(', ')} (default: wrk when on the PATH, else undici)
  --json FILE    also writes everything as JSON, for npm run bench:compare
  --charts DIR   where charts go (default: bench/charts; none in a quick run or with --shop)
  --list         prints the parts, one line each, and ends

The second form loads a service that runs already, any that answers POST /api/simulate:

  --url URL      its address; --key takes an API key of it, --carts its carts, as above
  --rate N       requests per second, due at random times whatever the answers; default: half of the peak, which a
                 closed loop finds first and which is full load for up to 4 seconds
  --for TIME     how long, such as 60s (default) or 5m; a short warm-up comes before
  --against URL2 first sends each cart to both services and says which answers differ, then loads both in turn for
                 TIME each, or not at all with --for 0s; exit code 1 when answers differ
  --key2 KEY2    the key of URL2, when it is not that of URL
  --report FILE  the report, a page of HTML (default: dist/service.html)
`;

/** A mistake on the command line, or a file named there that cannot be used: one line for a person. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Throws `UsageError` when the file cannot be written. */
export function assertWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (cause) {
    throw new UsageError(`${file} cannot be written: ${(cause as Error).message}`);
  }
}

/** The exit code of a `UsageError`, as sysexits.h has it. */
export const EXIT_USAGE = 64;

const SWITCHES = ['--quick', '--peers', '--list', '--profile'];
const VALUED = ['--json', '--charts', '--load', '--shop', '--carts', ...SERVICE_OPTIONS];

/** The arguments of a command line, by kind. */
export interface GivenOptions {
  readonly words: readonly string[];
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

/** Splits a command line. Null when help was asked for. Throws `UsageError`. */
export function splitOptions(
  given: readonly string[],
  switchNames: readonly string[],
  valuedNames: readonly string[],
): GivenOptions | null {
  const words: string[] = [];
  const switches = new Set<string>();
  const values = new Map<string, string>();
  for (let at = 0; at < given.length; at++) {
    const text = given[at] as string;
    if (text === '--help' || text === '-h') return null;
    if (switchNames.includes(text)) {
      switches.add(text);
    } else if (valuedNames.includes(text)) {
      const value = given[++at];
      if (value === undefined || value.startsWith('--')) throw new UsageError(`${text} needs a value`);
      values.set(text, value);
    } else if (text.startsWith('-')) {
      throw new UsageError(`${text} is not an option`);
    } else {
      words.push(text);
    }
  }
  return { words, switches, values };
}

/** Null when help was asked for. Throws `UsageError`. */
export function readBenchOptions(given: readonly string[], chartsFolder: string): BenchOptions | null {
  const split = splitOptions(given, SWITCHES, VALUED);
  if (split === null) return null;
  const { words, switches, values } = split;
  const isQuick = switches.has('--quick');
  const service = readServiceOptions(split);
  const ownShop = service === null ? ownShopOf(values) : null;
  return {
    words: words.map((word) => word.toLowerCase()),
    ownShop,
    service,
    recordsProfile: switches.has('--profile'),
    isQuick,
    withPeers: switches.has('--peers'),
    jsonFile: values.get('--json') ?? null,
    chartsFolder: values.get('--charts') ?? (isQuick || ownShop !== null ? null : chartsFolder),
    load: loadToolOf(values.get('--load')),
    listsParts: switches.has('--list'),
  };
}

export function ownShopOf(values: ReadonlyMap<string, string>): OwnShopPaths | null {
  const shop = values.get('--shop');
  const carts = values.get('--carts');
  if (shop === undefined && carts === undefined) return null;
  if (carts === undefined) throw new UsageError('--shop needs --carts');
  if (shop === undefined) throw new UsageError('--carts needs --shop');
  return { shop, carts };
}

export function loadToolOf(text: string | undefined): LoadToolName | null {
  if (text === undefined) return null;
  const tool = LOAD_TOOL_NAMES.find((name) => name === text);
  if (tool === undefined) throw new UsageError(`--load takes one of ${LOAD_TOOL_NAMES.join(', ')}`);
  return tool;
}
