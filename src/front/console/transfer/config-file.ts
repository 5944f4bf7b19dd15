/** A file with a configuration: read from its text, and the rows of it that a refusal names. */
import type { Schemas } from '../../client/call-table.ts';
import { counted } from '../words.ts';

export type ConfigData = Schemas['ConfigData'];

/** Kinds of records in a file, with their names in the plural. */
export const KINDS = {
  zones: 'Zones',
  productGroups: 'Product groups',
  methods: 'Methods',
  blendedRates: 'Blended rates',
  checks: 'Checks',
} as const;
export type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** The configuration in a text, or a sentence that says why it holds none. Its records are checked by the service. */
export function readConfigText(text: string): ConfigData | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `The file is not JSON: ${error instanceof Error ? error.message : ''}`;
  }
  if (typeof value !== 'object' || value === null || !KIND_NAMES.some((kind) => kind in value))
    return `The file holds no configuration: it has none of ${KIND_NAMES.join(', ')}.`;
  const data: ConfigData = value;
  const unlisted = KIND_NAMES.find((kind) => kind in data && !Array.isArray(data[kind]));
  return unlisted === undefined ? data : `The file holds no configuration: ${unlisted} is not a list.`;
}

/** `6 zones, 38 methods`: the kinds that the file has. */
export const countsText = (data: ConfigData): string =>
  KIND_NAMES.flatMap((kind) => {
    const records = data[kind];
    return records === undefined ? [] : [counted(records.length, KINDS[kind].toLowerCase().slice(0, -1))];
  }).join(', ');

export interface FaultyRow {
  readonly kind: Kind;
  /** 0-based. */
  readonly index: number;
  readonly record: unknown;
  /** Path within the record, "" for the record itself, and what is wrong there. */
  readonly errors: readonly (readonly [path: string, error: string])[];
}

/** The rows that the errors name, in the order of the file, and errors that name none. */
export function faultyRows(
  data: ConfigData,
  errors: ReadonlyMap<string, string>,
): { readonly rows: readonly FaultyRow[]; readonly others: readonly string[] } {
  const rows = new Map<string, FaultyRow>();
  const others: string[] = [];
  for (const [path, error] of errors) {
    const [, kind, place, within = ''] = /^\/data\/(\w+)\/(\d+)(\/.*)?$/.exec(path) ?? [];
    const records: unknown = data[kind as Kind];
    if (kind === undefined || !Array.isArray(records)) {
      others.push(...error.split('\n').map((line) => `${path === '/data' ? 'The file' : path} ${line}`));
      continue;
    }
    const key = `${kind} ${place}`;
    const index = Number(place);
    const row = rows.get(key) ?? { kind: kind as Kind, index, record: records[index], errors: [] };
    rows.set(key, { ...row, errors: [...row.errors, [within, error]] });
  }
  const rank = ({ kind }: FaultyRow): number => KIND_NAMES.indexOf(kind);
  return { rows: [...rows.values()].sort((a, b) => rank(a) - rank(b) || a.index - b.index), others };
}

/** The file with another record in the place of one. */
export const withRecord = (data: ConfigData, { kind, index }: FaultyRow, record: unknown): ConfigData => ({
  ...data,
  [kind]: (data[kind] as readonly unknown[]).map((other, place) => (place === index ? record : other)),
});

/** What a row is called: its name or id, as far as it has one. */
export function rowName({ record }: FaultyRow): string {
  const { name, id } = (typeof record === 'object' && record !== null ? record : {}) as Record<
    string,
    unknown
  >;
  return [name, id].find((text) => typeof text === 'string' && text !== '')?.toString() ?? 'without a name';
}
