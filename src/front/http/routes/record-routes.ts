/**
 * The routes that every kind of record has: list, get, create, change and delete. A request names its record in the
 * path, the query or the body (contract section 1).
 */
import Type, { type TSchema } from '#typebox';
import type { Command, CommandResult } from '../../../engine/change/command.ts';
import {
  type Failure,
  invalid,
  notFound,
  type Outcome,
  RESOURCE_NAMES,
  type ResourceKind,
  success,
} from '../../../engine/domain/failure.ts';
import { isId } from '../../../engine/domain/id.ts';
import { Id, untitled } from '../../../engine/domain/schema.ts';
import { deletedAnswer } from '../../../engine/wire/answer-schemas.ts';
import { DeleteBody } from '../../../engine/wire/write-bodies.ts';
import { answerValue, type PlannedWrite, planWrite, type ValueAnswer } from '../answer.ts';
import { answerDoc, queryParameter, type ShopRoute, type ShopRouteFields, writeRoute } from '../route.ts';
import type { Tag } from '../tags.ts';
import { type ConfigRouteFields, readConfigRoute } from './config-view.ts';
import { LIST_DESCRIPTION, LIST_PARAMETERS, NextCursor } from './record-list.ts';

export const ID_PARAMETER = { id: queryParameter(Id, 'Id of the record, when path and body do not name it') };

/** The fields of a route that differ from those that follow from the kind of record. */
type Row<F extends object, Needed extends keyof F> = Partial<F> & Required<Pick<F, Needed>>;

/** A kind of record, and where its routes differ from those of the others. */
interface RecordKind<C extends TSchema, U extends TSchema> {
  readonly tag: Tag;
  /** The end of the names of its routes: `create${name}`. */
  readonly name: string;
  readonly path: string;
  readonly target: ResourceKind;
  /** The field of an answer that holds a record; with an `s` appended, the field that holds a list. */
  readonly field: RecordResult;
  readonly schema: TSchema;
  readonly example: { readonly id: string };
  /** What a list shows of a record, if less than the whole. */
  readonly listed?: { readonly schema: TSchema; readonly example: object };
  readonly list: Row<ConfigRouteFields, 'summary' | 'handle'>;
  readonly get: Row<ConfigRouteFields, 'handle'>;
  readonly create: Row<ShopRouteFields<C>, 'body' | 'handle'>;
  readonly update: Row<ShopRouteFields<U>, 'body' | 'handle'>;
  readonly remove: Pick<DeleteFields, 'command'> & Partial<DeleteFields>;
}

export function recordRoutes<C extends TSchema, U extends TSchema>(
  kind: RecordKind<C, U>,
): readonly ShopRoute[] {
  const { tag, name, path, target, field, schema, example, listed = { schema, example } } = kind;
  const noun = RESOURCE_NAMES[target].toLowerCase();
  const success = (description: string, status?: 201) =>
    answerDoc(description, untitled({ [field]: schema }), { [field]: example }, status);
  const addressed = { paths: [path, `${path}/:id`], tag, target, permission: 'write' } as const;
  return [
    readConfigRoute({
      name: `list${name}s`,
      verb: 'GET',
      paths: [path],
      tag,
      permission: 'read',
      description: LIST_DESCRIPTION,
      success: answerDoc(
        `The ${noun}s`,
        untitled({ [`${field}s`]: Type.Array(listed.schema), nextCursor: NextCursor }),
        { [`${field}s`]: [listed.example] },
      ),
      ...kind.list,
      query: { ...kind.list.query, ...LIST_PARAMETERS },
    }),
    readConfigRoute({
      name: `get${name}`,
      verb: 'GET',
      paths: [`${path}/:id`],
      tag,
      summary: `One ${noun}`,
      permission: 'read',
      target,
      success: success(`The ${noun}`),
      ...kind.get,
    }),
    writeRoute({
      name: `create${name}`,
      verb: 'POST',
      paths: [path],
      tag,
      summary: `Create a ${noun}`,
      permission: 'write',
      success: success(`The new ${noun}`, 201),
      ...kind.create,
    }),
    writeRoute({
      name: `update${name}`,
      verb: 'PUT',
      ...addressed,
      summary: `Change a ${noun}`,
      query: ID_PARAMETER,
      success: success(`The ${noun} as it is now`),
      ...kind.update,
    }),
    deleteRoute({
      name: `delete${name}`,
      ...addressed,
      summary: `Delete a ${noun}`,
      example,
      ...kind.remove,
    }),
  ];
}

/** Answers the record with this id in the given field. */
export function answerRecord<T extends { readonly id: string }>(
  kind: ResourceKind,
  field: RecordResult,
  records: readonly T[],
  id: string,
  view: (record: T, position: number) => unknown,
): Outcome<ValueAnswer> {
  const position = records.findIndex((record) => record.id === id);
  const record = records[position];
  return record === undefined ? notFound(kind, id) : answerValue({ [field]: view(record, position) });
}

/** The kinds of result that hold a record; the field has the name of the kind. */
type RecordResult = Extract<
  CommandResult,
  { readonly kind: 'zone' | 'group' | 'method' | 'rule' | 'blendedRate' | 'check' }
>['kind'];

/** A write whose answer is the new state of the record. */
export const planRecord = (command: Command, kind: RecordResult): Outcome<PlannedWrite> =>
  planWrite(command, kind, ({ kind: _, ...shown }) => shown);

type DeleteFields = Pick<
  ShopRoute,
  'name' | 'paths' | 'tag' | 'summary' | 'description' | 'permission' | 'target'
> & {
  readonly isConfiguration?: false;
  /** Description of the answer. */
  readonly done?: string;
  readonly example: { readonly id: string };
  readonly command: (id: string) => Command;
};

export const deleteRoute = ({
  done = 'It is deleted',
  example,
  command,
  ...fields
}: DeleteFields): ShopRoute =>
  writeRoute({
    ...fields,
    verb: 'DELETE',
    query: ID_PARAMETER,
    body: { schema: DeleteBody, isOptional: true, examples: { byId: { id: example.id } } },
    success: answerDoc(done, deletedAnswer, { deleted: true, id: example.id }),
    handle: ({ id }) => planWrite(command(id), 'deleted', (deleted) => ({ deleted: true, id: deleted.id })),
  });

/** Decodes a path segment; null when the encoding is malformed. */
function decodePathSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * The id in path, query and body, which must agree. `idSegment` is the last segment of the path, still encoded; null when
 * the path holds no id. A text that is no valid id is answered like the id of an unknown record.
 */
export function resolveRecordId(
  kind: ResourceKind | 'shop',
  idSegment: string | null,
  queryId?: string,
  bodyId?: unknown,
): Outcome<string> {
  const pathId = idSegment === null ? null : (decodePathSegment(idSegment) ?? idSegment);
  if (pathId !== null && !isId(pathId)) return notFound(kind, pathId);
  const given = [pathId, queryId, bodyId].filter((id): id is string => typeof id === 'string');
  const [id] = given;
  if (id === undefined) return invalid('/id is required: an id, in the path, the query or the body');
  return given.every((other) => other === id) ? success(id) : idTwice('id');
}

export const idTwice = (name: string): Failure => invalid(`/${name} is given twice with different values`);
