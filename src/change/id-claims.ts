/** Ids in a bulk write: given ones are kept and may stand only once within their kind, missing ones are made. */
import { type IdKind, idsFromSeed } from '../domain/id.ts';
import type { RecordKind } from '../domain/version.ts';
import type { Defects } from './defects.ts';

/** A method can be bound to a zone or a subzone by id alone, so that both share one namespace. */
const namespaceOf = (kind: RecordKind): RecordKind => (kind === 'subzone' ? 'zone' : kind);

/** A record of the body that keeps parts which the body leaves out: they have no path of their own. */
export interface Keeper {
  readonly keeper: string;
}

/** Who has an id: the record at a path, or a part of a keeper. */
type Holder = string | Keeper;

export class IdClaims {
  /** The ids that the client did not give. */
  readonly made = new Set<string>();
  readonly #ids: { next(kind: IdKind): string };
  readonly #defects: Defects;
  readonly #holdersByNamespace = new Map<RecordKind, Map<string, Holder>>();

  constructor(seed: string, defects: Defects) {
    this.#ids = idsFromSeed(seed);
    this.#defects = defects;
  }

  /** The id of the record at `path`: the given one, or a new one. */
  claim(kind: RecordKind, given: string | undefined, path: string): string {
    const holders = this.#holders(kind);
    let id = given ?? this.#ids.next(kind);
    while (given === undefined && holders.get(id) !== undefined) id = this.#ids.next(kind);
    const first = holders.get(id);
    if (first === undefined) holders.set(id, path);
    else if (typeof first !== 'string') this.#refuseKept(path, first, id);
    else this.#defects.add(`${path}/id`, `must be unique: ${first} has ${id} too`);
    if (given === undefined) this.made.add(id);
    return id;
  }

  /** For a part that stays because the body leaves it out: who gives its id to another record is at fault. */
  keep(kind: RecordKind, id: string, keeper: Keeper): void {
    const holders = this.#holders(kind);
    const first = holders.get(id);
    if (first === undefined) holders.set(id, keeper);
    else if (typeof first === 'string') this.#refuseKept(first, keeper, id);
    // Kept twice: a record that stands twice in the body has been refused for that.
  }

  #refuseKept(path: string, { keeper }: Keeper, id: string): void {
    this.#defects.add(`${path}/id`, `must be unique: ${keeper} keeps its ${id}`);
  }

  #holders(kind: RecordKind): Map<string, Holder> {
    const namespace = namespaceOf(kind);
    let holders = this.#holdersByNamespace.get(namespace);
    if (holders === undefined) {
      holders = new Map();
      this.#holdersByNamespace.set(namespace, holders);
    }
    return holders;
  }
}
