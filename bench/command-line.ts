/** What a person may ask of the suite. */

export interface BenchOptions {
  /** Words that the id of a part must all hold; none = every part. */
  readonly words: readonly string[];
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

export const LOAD_TOOL_NAMES = ['wrk', 'undici', 'sockets'] as const;
export type LoadToolName = (typeof LOAD_TOOL_NAMES)[number];

export const BENCH_USAGE = `Usage: npm run bench -- [words...] [options]

Measures every part, or those whose id holds all the words: npm run bench -- micro postal

  --quick        short rounds and small sizes: shows that everything runs, figures are rough
  --peers        installs the peers of the comparison when they are missing (bench/peers)
  --load TOOL    closed-loop load: ${LOAD_TOOL_NAMES.join(', ')} (default: wrk when on the PATH, else undici)
  --json FILE    also writes everything as JSON; npm run bench:compare A B reads two such files
  --charts DIR   where charts go (default: bench/charts; none in a quick run)
  --list         names the parts and ends
`;

/** A mistake on the command line: one line for a person. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Null when help was asked for. Throws `UsageError`. */
export function readBenchOptions(given: readonly string[], chartsFolder: string): BenchOptions | null {
  const words: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  for (let at = 0; at < given.length; at++) {
    const text = given[at] as string;
    if (text === '--help' || text === '-h') return null;
    if (text === '--quick' || text === '--peers' || text === '--list') {
      flags.add(text);
    } else if (text === '--json' || text === '--charts' || text === '--load') {
      const value = given[++at];
      if (value === undefined) throw new UsageError(`${text} needs a value`);
      values.set(text, value);
    } else if (text.startsWith('-')) {
      throw new UsageError(`${text} is not an option`);
    } else {
      words.push(text.toLowerCase());
    }
  }
  const isQuick = flags.has('--quick');
  return {
    words,
    isQuick,
    withPeers: flags.has('--peers'),
    jsonFile: values.get('--json') ?? null,
    chartsFolder: values.get('--charts') ?? (isQuick ? null : chartsFolder),
    load: loadToolOf(values.get('--load')),
    listsParts: flags.has('--list'),
  };
}

function loadToolOf(text: string | undefined): LoadToolName | null {
  if (text === undefined) return null;
  const tool = LOAD_TOOL_NAMES.find((name) => name === text);
  if (tool === undefined) throw new UsageError(`--load takes one of ${LOAD_TOOL_NAMES.join(', ')}`);
  return tool;
}

export const isWanted = (partId: string, words: readonly string[]): boolean =>
  words.every((word) => partId.includes(word));
