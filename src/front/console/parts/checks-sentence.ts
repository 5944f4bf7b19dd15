/** What a write did to the checks of the shop, in one sentence. */
import type { Schemas } from '../../client/call-table.ts';
import type { Reads } from '../guarded-calls.ts';
import { counted, isolated } from '../words.ts';

type Results = Pick<Schemas['CheckResults'], 'passed' | 'failed' | 'results'>;

const named = (names: readonly string[]): string => {
  const shown = names.slice(0, 2).map((name) => `“${isolated(name)}”`);
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${counted(more, 'other')}` : ''}`;
};

const failing = ({ results }: Results): ReadonlyMap<string | null, string> =>
  new Map(results.filter(({ passed }) => !passed).map(({ checkId, name }) => [checkId, name]));

/** `All 12 checks pass`, `1 of 12 checks fails` */
export function checksText({ passed, failed }: Pick<Results, 'passed' | 'failed'>): string {
  const count = passed + failed;
  if (failed === 0) return count === 1 ? 'The check passes' : `All ${count} checks pass`;
  return `${failed} of ${counted(count, 'check')} ${failed === 1 ? 'fails' : 'fail'}`;
}

/** `before` is null where it is not known; "" where the shop has no checks. */
export function checksSentence(before: Results | null, after: Results): string {
  if (after.passed + after.failed === 0) return '';
  const [old, now] = [before === null ? null : failing(before), failing(after)];
  const broken = old === null ? [] : [...now].flatMap(([id, name]) => (old.has(id) ? [] : [name]));
  const mended = after.results.flatMap(({ checkId, name, passed }) =>
    passed && old?.has(checkId) === true ? [name] : [],
  );
  if (broken.length > 0) return `It broke ${counted(broken.length, 'check')}: ${named(broken)}`;
  if (mended.length > 0) return `It mended ${counted(mended.length, 'check')}: ${named(mended)}`;
  return `${checksText(after)}${after.failed === 0 || old === null ? '' : ', as before'}`;
}

/** What a write did to the checks; `before` is the version before it, which a draft has not. */
export type ChecksAfter = (before: string | null) => Promise<string>;

/** Called before a write. The checks of a draft are run then, since no later run could tell how they were. */
export async function watchChecks(calls: Reads, view: 'live' | 'staged'): Promise<ChecksAfter> {
  const run = (of: { readonly view: typeof view } | { readonly version: string }) =>
    calls.createOrRunChecks({ action: 'run', ...of });
  const staged = view === 'staged' ? await run({ view }) : null;
  return async (version) => {
    const earlier = staged ?? (version === null ? null : run({ version }));
    const [before, after] = await Promise.all([earlier, run({ view })]);
    return after.ok ? checksSentence(before?.ok ? before.value : null, after.value) : '';
  };
}
