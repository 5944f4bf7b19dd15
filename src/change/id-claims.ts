/** Ids in a write: a given id may stand only once within its kind, and missing ids are made. */
import { type IdKind, idsFromSeed } from '../domain/id.ts';
import type { RecordKind } from '../domain/version.ts';
import type { Defects } from './defects.ts';

/** A record of the body that keeps parts which the body leaves out: they have no path of their own. */
export interface Keeper {
  readonly keeper: string;
}

/** A method is bound to a zone or a subzone by id alone, so both share one namespace. */
const keyOf = (kind: RecordKind, id: string): string => `${kind === 'subzone' ? 'zone' : kind} ${id}`;

export class IdClaims {
  /** The ids that the client did not give. */
  readonly made = new Set<string>();
  readonly #ids: { next(kind: IdKind): string };
  readonly #defects: Defects;
  /** What has an id: the record at a path, or a part of a keeper. */
  readonly #holders = new Map<string, string | Keeper>();

  constructor(seed: string, defects: Defects) {
    this.#ids = idsFromSeed(seed);
    this.#defects = defects;
  }

  /** The id of the record at `path`: the given one, or a new one. */
  claim(kind: RecordKind, given: string | undefined, path: string): string {
    let id = given ?? this.#ids.next(kind);
    while (given === undefined && this.#holders.has(keyOf(kind, id))) id = this.#ids.next(kind);
    const first = this.#holders.get(keyOf(kind, id));
    if (first === undefined) this.#holders.set(keyOf(kind, id), path);
    else if (typeof first !== 'string') this.#refuseKept(path, first, id);
    else this.#defects.add(`${path}/id`, `must be unique: ${first} has ${id} too`);
    if (given === undefined) this.made.add(id);
    return id;
  }

  /** For a part that stays because the body leaves it out: the defect is of the record that takes its id. */
  keep(kind: RecordKind, id: string, keeper: Keeper): void {
    const first = this.#holders.get(keyOf(kind, id));
    if (first === undefined) this.#holders.set(keyOf(kind, id), keeper);
    else if (typeof first === 'string') this.#refuseKept(first, keeper, id);
    // Kept twice: the keeper stands twice in the body, which is a defect already.
  }

  #refuseKept(path: string, { keeper }: Keeper, id: string): void {
    this.#defects.add(`${path}/id`, `must be unique: ${keeper} keeps its ${id}`);
  }
}
