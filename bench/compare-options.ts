/** The options of `npm run bench:compare`. */
import { extname } from 'node:path';
import { loadToolOf, ownShopOf, splitOptions, UsageError } from './command-line.ts';
import type { Twice } from './report/comparison.ts';

export type CompareOptions =
  | {
      readonly kind: 'files';
      readonly before: Twice<string>;
      readonly after: Twice<string>;
    }
  | {
      readonly kind: 'measure';
      /** The earlier commit, by any name that git takes. */
      readonly commit: string;
      /** The arguments of each run of the suite. */
      readonly benchArguments: readonly string[];
    };

export const COMPARE_USAGE = `Usage: npm run bench:compare -- COMMIT words... [--quick] [--load TOOL] [--shop FILE --carts PATH]
       npm run bench:compare -- A1.json A2.json B1.json B2.json

Compares the program as it is in the checkout with that of an earlier COMMIT: measures the parts that the words name
(npm run bench -- --list) twice with each, in the order before, after, after, before. A difference within what two
runs of the same program differ by is not called one. The second form reads four files that
npm run bench -- --json wrote: two of the earlier program, then two of the later one.
`;

/** Null when help was asked for. Throws `UsageError`. */
export function readCompareOptions(given: readonly string[]): CompareOptions | null {
  const split = splitOptions(given, ['--quick'], ['--load', '--shop', '--carts']);
  if (split === null) return null;
  const { words, switches, values } = split;
  if (words.length > 0 && words.every((word) => extname(word) === '.json')) {
    const [a1, a2, b1, b2, more] = words;
    if (b2 === undefined || more !== undefined) {
      throw new UsageError(
        'four files are compared, two runs of each program: without them the noise is unknown',
      );
    }
    return { kind: 'files', before: [a1 as string, a2 as string], after: [b1 as string, b2] };
  }
  const [commit, ...parts] = words;
  if (commit === undefined) throw new UsageError('name a commit to compare with, or four files: see --help');
  const ownShop = ownShopOf(values);
  loadToolOf(values.get('--load'));
  if (parts.length === 0 && ownShop === null) {
    throw new UsageError('name the parts to measure after the commit, for instance http/throughput');
  }
  const pairs = [...values].flat();
  return { kind: 'measure', commit, benchArguments: [...parts, ...switches, ...pairs] };
}
