/**
 * The rows that every kind of record has: list, get, create, change and delete; and how a request names its record: by
 * path, query or body (contract section 1).
 */
import Type, { type TSchema } from '#typebox';
import type { Command, CommandResult } from '../../change/command.ts';
import {
  type Failure,
  invalid,
  notFound,
  type Outcome,
  RESOURCE_NAMES,
  type ResourceKind,
  success,
} from '../../domain/failure.ts';
import { isId } from '../../domain/id.ts';
import { Id, untitled } from '../../domain/schema.ts';
import { deletedAnswer } from '../../wire/answer-schemas.ts';
import { DeleteBody } from '../../wire/write-bodies.ts';
import { answerValue, planWrite, type ValueAnswer, type WriteAnswer } from '../answer.ts';
import { EXAMPLE_DELETED } from '../openapi/examples.ts';
import { answerDoc, queryParameter, type ShopRoute, type ShopRouteFields, writeRoute } from '../route.ts';
import { type ConfigRouteFields, readConfigRoute } from './config-view.ts';

const ID_PARAMETER = { id: queryParameter(Id, 'Id of the record, when path and body do not name it') };

/** What a row says instead of what follows from its kind. */
type Row<F extends object, Needed extends keyof F> = Partial<F> & Required<Pick<F, Needed>>;

/** A kind of record. What its rows do not say follows from the other fields. */
interface RecordKind<C extends TSchema, U extends TSchema> {
  readonly tag: string;
  /** Ends the names of its routes. */
  readonly name: string;
  readonly path: string;
  readonly target: ResourceKind;
  /** The field of answers that holds a record; with an s behind it the one that holds a list of them. */
  readonly field: RecordResult;
  readonly schema: TSchema;
  readonly example: { readonly id: string };
  /** What lists show of a record, where that is less. */
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
      success: answerDoc(`The ${noun}s`, untitled({ [`${field}s`]: Type.Array(listed.schema) }), {
        [`${field}s`]: [listed.example],
      }),
      ...kind.list,
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

/** The record of this id, under the name that its answers give it. */
export function answerRecord<T extends { readonly id: string }>(
  kind: ResourceKind,
  field: RecordResult,
  records: readonly T[],
  id: string,
  view: (record: T, position: number) => unknown,
): Outcome<ValueAnswer> {
  const position = records.findIndex((one) => one.id === id);
  const record = records[position];
  return record === undefined ? notFound(kind, id) : answerValue({ [field]: view(record, position) });
}

/** The results that hold a record, each named for its field. */
type RecordResult = Extract<
  CommandResult,
  { readonly kind: 'zone' | 'group' | 'method' | 'rule' | 'blendedRate' | 'check' }
>['kind'];

/** A write that is answered with the record as it is then. */
export const planRecord = (command: Command, kind: RecordResult): Outcome<WriteAnswer> =>
  planWrite(command, kind, ({ kind: _, ...shown }) => shown);

type DeleteFields = Pick<
  ShopRoute,
  'name' | 'paths' | 'tag' | 'summary' | 'description' | 'permission' | 'target'
> & {
  readonly isConfiguration?: false;
  /** Of what it answers. */
  readonly done?: string;
  readonly example: { readonly id: string };
  readonly command: (id: string) => Command;
};

export const deleteRoute = ({ done = 'It is gone', example, command, ...fields }: DeleteFields): ShopRoute =>
  writeRoute({
    ...fields,
    verb: 'DELETE',
    query: ID_PARAMETER,
    body: { schema: DeleteBody, isOptional: true, examples: { byId: { id: example.id } } },
    success: answerDoc(done, deletedAnswer, EXAMPLE_DELETED(example.id)),
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
 * The one id that path, query and body agree on; `idSegment` is the end of the path as it was sent, or null
 * when the path names no record. A text that cannot be an id names no record, so it is not found.
 */
export function resolveRecordId(
  kind: ResourceKind,
  idSegment: string | null,
  queryId: string | undefined,
  bodyId: unknown,
): Outcome<string> {
  const pathId = idSegment === null ? null : (decodePathSegment(idSegment) ?? idSegment);
  if (pathId !== null && !isId(pathId)) return notFound(kind, pathId);
  const given = [pathId, queryId, bodyId].filter((id): id is string => typeof id === 'string');
  const [id] = given;
  if (id === undefined) return invalid('/id is required: an id, in the path, the query or the body');
  return given.every((other) => other === id) ? success(id) : idTwice('id');
}

export const idTwice = (name: string): Failure => invalid(`/${name} is given twice with different values`);
