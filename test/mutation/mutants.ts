/** Small wrong programs: one operator of a file turned into another one. Strings and comments are left alone. */
import { scanSource } from '../house/source-file.ts';

export interface Mutant {
  /** Below dist/src, as it was found. */
  readonly path: string;
  readonly line: number;
  /** What stands there, and what is put there instead. */
  readonly from: string;
  readonly to: string;
  /** The line as it is. */
  readonly shown: string;
  /** The whole file with the change. */
  readonly text: string;
}

/** What is looked for in code, and what it becomes. A space on both sides tells operators from arrows and types. */
const FLIPS: readonly (readonly [pattern: RegExp, to: string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' + '],
  [/ \/ /g, ' * '],
  [/ % /g, ' * '],
  [/ \+= /g, ' -= '],
  [/ -= /g, ' += '],
  [/\+\+/g, '--'],
  [/--/g, '++'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/!(?=[\w(])/g, ''],
  [/(?<![\w.$])0(?![\w.])/g, '1'],
  [/(?<![\w.$])1(?![\w.])/g, '0'],
  [/\bcontinue;/g, 'break;'],
];

/** Every mutant of the file, in the order of the text. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const { bare } = scanSource(path, text);
  const lines = text.split('\n');
  const mutants: Mutant[] = [];
  for (const [pattern, to] of FLIPS) {
    for (const { 0: from, index } of bare.matchAll(pattern)) {
      // What is blanked is no code; a template may hold code, and its text is blank too.
      if (text.slice(index, index + from.length) !== from) continue;
      const line = text.slice(0, index).split('\n').length;
      const shown = (lines[line - 1] ?? '').trim();
      if (shown.startsWith('import ')) continue;
      const changed = text.slice(0, index) + to + text.slice(index + from.length);
      mutants.push({ path, line, from: from.trim(), to: to.trim(), shown, text: changed });
    }
  }
  return mutants.sort((a, b) => a.line - b.line);
}
