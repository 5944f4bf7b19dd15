/**
 * Lists of records: whole, or the records that a text finds, page by page (contract section 12.4). A cursor is the id of the
 * last record of a page, and the next page begins after it in the order of that moment. So no write between two pages
 * shows a record twice or omits one, except a record that the write moves or makes. When the record of the cursor is gone,
 * the list must be read from its beginning (404).
 */
import Type from '#typebox';
import { notFound, type Outcome, type ResourceKind } from '../../../engine/domain/failure.ts';
import { Id, orNull } from '../../../engine/domain/schema.ts';
import { comparable, OptionalName } from '../../../engine/domain/text.ts';
import { answerMade, type ValueAnswer } from '../answer.ts';
import type { QueryValues } from '../query-text.ts';
import { queryParameter } from '../route.ts';

/** The parameter `limit`: a whole number from 1 to `max`, a power of ten. */
export const limitParameter = (max: number, description: string) =>
  queryParameter(
    Type.String({
      pattern: `^0*([1-9][0-9]{0,${String(max).length - 2}}|${max})$`,
      'x-accepts': `a whole number from 1 to ${max.toLocaleString('en-US')}`,
    }),
    description,
    Type.Integer({ minimum: 1, maximum: max }),
  );

export const RECORDS_PER_PAGE_MAX = 1_000;

export const LIST_PARAMETERS = {
  limit: limitParameter(RECORDS_PER_PAGE_MAX, 'Records of the page; without it all are listed'),
  cursor: queryParameter(Id, 'The id of a record: the list continues after it'),
  search: queryParameter(
    OptionalName,
    'Only records with this text in their name, id or service code, or in the name or id of one of their subzones; case is ignored',
  ),
};

export const LIST_DESCRIPTION =
  'With `limit` the list comes in pages: `nextCursor` is the `cursor` of the next one, and null on the last. Records that ' +
  'are made, moved or deleted between two pages are listed where they are then; when the record of the cursor is gone, the ' +
  'answer is 404 and the list must be read from its beginning.';

/** In the answer to a request with `limit`. */
export const NextCursor = Type.Optional(
  orNull(Id, { description: 'With `limit`: the cursor of the next page; null on the last' }),
);

/** What a search looks at. */
interface Listed {
  readonly id: string;
  readonly name?: string;
  readonly serviceCode?: string;
  readonly subzones?: readonly Listed[];
}

/** `text` is comparable. */
const isFound = (text: string, { id, name = '', serviceCode = '', subzones = [] }: Listed): boolean =>
  [id, name, serviceCode].some((own) => comparable(own).includes(text)) ||
  subzones.some((subzone) => isFound(text, subzone));

interface ListOf<T> {
  readonly kind: ResourceKind;
  /** The field of the answer. */
  readonly field: string;
  /** All of them, in order. */
  readonly records: readonly T[];
  readonly view: (record: T, position: number) => unknown;
  /** Absent when all are listed. */
  readonly isListed?: (record: T) => boolean;
}

/** The part of a list that a query asks for; NOT_FOUND when the record of its cursor is gone. */
export function answerRecords<T extends Listed>(
  query: QueryValues,
  { kind, field, records, view, isListed }: ListOf<T>,
): Outcome<ValueAnswer> {
  const { limit, cursor, search } = query;
  const last = cursor === undefined ? -1 : records.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && last < 0) return notFound(kind, cursor);
  return answerMade(() => {
    const most = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
    const text = comparable(search ?? '');
    const page: unknown[] = [];
    let end: string | null = null;
    for (const [position, record] of records.entries()) {
      if (position <= last || isListed?.(record) === false) continue;
      if (text !== '' && !isFound(text, record)) continue;
      if (page.length === most) return { [field]: page, nextCursor: end };
      page.push(view(record, position));
      end = record.id;
    }
    return limit === undefined ? { [field]: page } : { [field]: page, nextCursor: null };
  });
}
