/**
 * Finds the personal fields of a request (name, company, street, phone, id and tags of the customer) that the rules
 * of a shop read. The other personal fields are stripped from kept simulations.
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

/** Fields by method: after an edit only changed methods are searched again. */
const known = new WeakMap<PlacedMethod, number>();

/** Searches the fields that any rule of the configurations reads, including disabled rules. */
export class PersonalFieldSearch {
  /** The fields found so far, as bits. */
  fields = 0;
  readonly #configs: readonly PlacedConfig[];
  #config = 0;
  #method = 0;

  constructor(configs: readonly PlacedConfig[]) {
    this.#configs = configs;
  }

  /** Searches methods with about `rulesMax` rules; returns true when the search is complete. */
  advance(rulesMax = Number.POSITIVE_INFINITY): boolean {
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

/** Searches one configuration at once. */
export function personalFieldsRead(config: PlacedConfig): number {
  const search = new PersonalFieldSearch([config]);
  search.advance();
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
