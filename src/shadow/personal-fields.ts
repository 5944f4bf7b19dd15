/**
 * Which personal parts of a request (name, company, street, phone, the customer's id and tags) a shop's rules read. Kept simulations lose the
 * others.
 */
import type { ConditionType } from '../domain/condition.ts';
import type { PlacedConfig, PlacedMethod } from '../domain/shop-event.ts';

/** Bits of a set of fields. */
export const PERSONAL_FIELD = {
  name: 1,
  company: 2,
  phone: 4,
  street: 8,
  customerId: 16,
  customerTags: 32,
} as const;

const ALL_FIELDS = Object.values(PERSONAL_FIELD).reduce((all, field) => all | field, 0);

const FIELD_OF_TYPE: Partial<Record<ConditionType, number>> = {
  destination_name: PERSONAL_FIELD.name,
  destination_company: PERSONAL_FIELD.company,
  destination_phone: PERSONAL_FIELD.phone,
  destination_address: PERSONAL_FIELD.street,
  customer_id: PERSONAL_FIELD.customerId,
  customer_tag: PERSONAL_FIELD.customerTags,
};

/** Method -> its fields: after an edit only the changed methods are searched again. */
const known = new WeakMap<PlacedMethod, number>();

/** The search for the fields that any rule of a configuration reads, disabled ones included. */
export class PersonalFieldSearch {
  /** What was found so far. */
  fields = 0;
  readonly #configs: readonly PlacedConfig[];
  #config = 0;
  #method = 0;

  constructor(configs: readonly PlacedConfig[]) {
    this.#configs = configs;
  }

  /** Looks at methods with about so many rules; true when there is nothing left to be found. */
  goOn(rulesMax = Number.POSITIVE_INFINITY): boolean {
    let rules = 0;
    for (; this.#config < this.#configs.length; this.#config++, this.#method = 0) {
      const methods = this.#configs[this.#config]?.methods ?? [];
      for (; this.#method < methods.length; this.#method++) {
        if (this.fields === ALL_FIELDS) return true;
        if (rules >= rulesMax) return false;
        const method = methods[this.#method] as PlacedMethod;
        this.fields |= fieldsOfMethod(method);
        rules += 1 + method.rules.length;
      }
    }
    return true;
  }
}

/** The result of the search in one configuration, without yielding. */
export function personalFieldsRead(config: PlacedConfig): number {
  const search = new PersonalFieldSearch([config]);
  search.goOn();
  return search.fields;
}

function fieldsOfMethod(method: PlacedMethod): number {
  let fields = known.get(method);
  if (fields === undefined) {
    fields = fieldsOf(method);
    known.set(method, fields);
  }
  return fields;
}

function fieldsOf({ rules }: PlacedMethod): number {
  let fields = 0;
  for (const { conditions } of rules) {
    for (const { conditionType } of conditions) fields |= FIELD_OF_TYPE[conditionType] ?? 0;
  }
  return fields;
}
