/** Ids in a write: a given id may appear only once within its kind, and missing ids are generated. */
import { type IdKind, idsFromSeed } from '../domain/id.ts';
import type { RecordKind } from '../domain/version.ts';
import type { Defects } from './defects.ts';

/** A record in the body whose parts stay because the body omits them. These parts have no path of their own. */
interface Keeper {
  readonly keeper: string;
}

/** A method is bound to a zone or a subzone by id alone, so both share one namespace. */
const keyOf = (kind: RecordKind, id: string): string => `${kind === 'subzone' ? 'zone' : kind} ${id}`;

export class IdClaims {
  /** The generated ids. */
  readonly made = new Set<string>();
  readonly #ids: { next(kind: IdKind): string };
  readonly #defects: Defects;
  /** Holder of each id: the path of a record, or the keeper of a part. */
  readonly #holders = new Map<string, string | Keeper>();

  constructor(seed: string, defects: Defects) {
    this.#ids = idsFromSeed(seed);
    this.#defects = defects;
  }

  /** Claims the id of the record at `path`: the given id, or a generated one. */
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

  /**
   * Claims the id of a part that stays because the body omits it. A record that uses the same id is the one with the
   * defect.
   */
  keep(kind: RecordKind, id: string, keeper: Keeper): void {
    const first = this.#holders.get(keyOf(kind, id));
    if (first === undefined) this.#holders.set(keyOf(kind, id), keeper);
    else if (typeof first === 'string') this.#refuseKept(first, keeper, id);
    // Claimed twice: the keeper appears twice in the body, which is already reported as a defect.
  }

  #refuseKept(path: string, { keeper }: Keeper, id: string): void {
    this.#defects.add(`${path}/id`, `must be unique: ${keeper} keeps its ${id}`);
  }
}
