/** Changes in one line each: what a difference changes, prices first, and what made it. */
import type { Schemas } from '../../client/call-table.ts';
import { fieldText, uncapitalized } from '../labels.ts';
import { actionText } from '../rule-words.ts';
import { changeCounts, counted, kindOfNumber, listed, valueText, withoutDirection } from '../words.ts';
import { type DifferentValue, differentValues } from './different-values.ts';
import { isTextList } from './merged-draft.ts';
import { referredKinds } from './referred-records.ts';

export type Comparison = Schemas['Comparison'];
export type Entry = Comparison['added'][number];

export const KINDS = {
  zone: 'Zone',
  subzone: 'Subzone',
  productGroup: 'Product group',
  method: 'Method',
  rule: 'Rule',
  blendedRate: 'Blended rate',
  check: 'Check',
} as const;

export const countsOf = ({ added, modified, removed }: Comparison): Schemas['ChangeCounts'] => ({
  added: added.length,
  modified: modified.length,
  removed: removed.length,
});

/** The API names a rule without a name by its action: `adjust_add rule`. */
export const nameOf = ({ kind, name, id }: Entry): string =>
  kind === 'rule'
    ? name.replace(/^([a-z_]+) rule$/, (_, action: string) => actionText(action))
    : withoutDirection(name || id || '');

/** `Method Economy` */
export const entryText = (entry: Entry): string => `${KINDS[entry.kind]} ${nameOf(entry)}`;

const isPrice = ({ field, to }: DifferentValue): boolean => kindOfNumber(field) === 'money' && to != null;
const pricesFirst = <T>(rows: readonly T[], isOne: (row: T) => boolean): readonly T[] => [
  ...rows.filter(isOne),
  ...rows.filter((row) => !isOne(row)),
];

type ModifiedValues = readonly (readonly [entry: Entry, values: readonly DifferentValue[]])[];

/** Each value that differs of the first `max` changed records; prices come first. */
export function modifiedValues({ modified }: Comparison, max: number): ModifiedValues {
  const rows = modified.slice(0, max).map((entry): ModifiedValues[number] => {
    const values = entry.changes.flatMap(({ field, from, to }) => differentValues(from, to, [field]));
    return [entry, pricesFirst(values, isPrice)];
  });
  return pricesFirst(rows, ([, values]) => values.some(isPrice));
}

/** `price $9.10 → $0.80`; lists are counted, and ids of other records are left out. */
function changeText(value: DifferentValue, currency: string): string {
  const { path, field, from, to } = value;
  const name = uncapitalized(fieldText(path));
  if (isTextList(from) && isTextList(to))
    return `${name} ${[to.length > 0 ? `+${countOf(to)}` : '', from.length > 0 ? `−${countOf(from)}` : '']
      .filter(Boolean)
      .join(' ')}`;
  if (referredKinds([value]).length > 0) return `${name} changed`;
  const [before, after] = [from, to].map((each) => valueText(field, each, currency));
  return before === 'nothing' ? `${name} ${after}` : `${name} ${before} → ${after}`;
}

/** The last text of a long list counts those that are not named. */
const countOf = (texts: readonly string[]): number => {
  const more = /^(\d+) more$/.exec(texts.at(-1) ?? '');
  return more === null ? texts.length : texts.length - 1 + Number(more[1]);
};

/** Records of which a line can have room. */
const NAMED_MAX = 3;

/** `Standard: price $9.10 → $0.80; Montreal added`, in one line. */
export function differenceText(difference: Comparison, currency: string): string {
  const { added, modified, removed } = difference;
  const values = modifiedValues(difference, 200).map(([entry, differing]) => {
    const texts = differing.map((value) => changeText(value, currency));
    return `${nameOf(entry)}: ${listed(texts, 2)}`;
  });
  const others = (entries: readonly Entry[], what: string) =>
    entries.length > NAMED_MAX
      ? [`${entries.length} ${what}`]
      : entries.map((entry) => `${nameOf(entry)} ${what}`);
  const texts = [...values, ...others(added, 'added'), ...others(removed, 'removed')];
  const more = added.length + modified.length + removed.length === 0 ? ['nothing changed'] : texts;
  const rest = more.length - NAMED_MAX;
  return `${more.slice(0, NAMED_MAX).join('; ')}${rest > 0 ? `; ${rest} more` : ''}`;
}

const FORCED = / \(promotion forced\)$/;

interface Described {
  readonly description: string;
  readonly createdBy: Schemas['VersionRecord']['createdBy'];
  readonly changeset?: { readonly name: string };
  /** Of a row that may stand for several versions. */
  readonly batch?: { readonly size: number };
}

/** What a version did, in the words of its description; prices of many methods are changed by an import too. */
export const ownText = ({ description }: Described): string =>
  withoutDirection(description)
    .replace(FORCED, '')
    .replace(/^Configuration imported$/, 'Several records saved at once')
    .replace(/: ([a-z_]+) rule created$/, (_, action: string) => `: rule “${actionText(action)}” created`) ||
  'no description';

/** ` in “Winter” despite the rules for publishing`; nothing of a version that no draft made. */
export const draftText = ({ description, changeset }: Described): string =>
  `${changeset?.name ? ` in “${withoutDirection(changeset.name)}”` : ''}${FORCED.test(description) ? ' despite the rules for publishing' : ''}`;

/** What the versions of a row did together: `Winter, published: 3 changed`. `counts` are those of all of them, where known. */
export function rowText(row: Described, counts: Schemas['ChangeCounts'] | null = null): string {
  const others = (row.batch?.size ?? 1) - 1;
  if (row.createdBy !== 'promotion')
    return `${ownText(row)}${others === 0 ? '' : `, with ${counted(others, 'other change')}`}`;
  const how = FORCED.test(row.description) ? 'published despite the rules' : 'published';
  return `${withoutDirection(row.changeset?.name ?? '') || 'A draft'}, ${how}${counts === null ? '' : `: ${changeCounts(counts)}`}`;
}
