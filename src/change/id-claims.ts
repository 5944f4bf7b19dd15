/** Ids in a bulk write: given ones are kept and may stand only once within their kind, missing ones are made. */
import { type IdKind, idsFromSeed } from '../domain/id.ts';
import type { RecordKind } from '../domain/version.ts';
import type { Defects } from './defects.ts';
import { IdMap } from './id-map.ts';

/** A method can be bound to a zone or a subzone by id alone, so that both share one namespace. */
const namespaceOf = (kind: RecordKind): RecordKind => (kind === 'subzone' ? 'zone' : kind);

export class IdClaims {
  /** The ids that the client did not give. */
  readonly made = new Set<string>();
  readonly #ids: { next(kind: IdKind): string };
  readonly #defects: Defects;
  /** Namespace -> id -> path of the record that has it. */
  readonly #pathsByNamespace = new Map<RecordKind, IdMap<string>>();

  constructor(seed: string, defects: Defects) {
    this.#ids = idsFromSeed(seed);
    this.#defects = defects;
  }

  /** The id of the record at `path`: the given one, or a new one. */
  claim(kind: RecordKind, given: string | undefined, path: string): string {
    const namespace = namespaceOf(kind);
    let paths = this.#pathsByNamespace.get(namespace);
    if (paths === undefined) {
      paths = new IdMap();
      this.#pathsByNamespace.set(namespace, paths);
    }
    let id = given ?? this.#ids.next(kind);
    while (given === undefined && paths.get(id) !== undefined) id = this.#ids.next(kind);
    const first = paths.get(id);
    if (first !== undefined) this.#defects.add(`${path}/id`, `must be unique: ${first} has ${id} too`);
    else paths.set(id, path);
    if (given === undefined) this.made.add(id);
    return id;
  }
}
