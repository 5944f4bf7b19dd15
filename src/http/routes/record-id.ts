/** How a request names its record: by path, query or body (contract section 1). */
import {
  type Failure,
  invalid,
  notFound,
  type Outcome,
  type ResourceKind,
  success,
} from '../../domain/failure.ts';
import { Id } from '../../domain/id.ts';
import { isId } from '../../domain/id-pattern.ts';
import { decodePathSegment } from '../query-text.ts';
import { type QueryParameter, queryParameter } from '../route.ts';

export const ID_PARAMETER: Readonly<Record<string, QueryParameter>> = {
  id: queryParameter(Id, 'Id of the record, when path and body do not name it'),
};

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
