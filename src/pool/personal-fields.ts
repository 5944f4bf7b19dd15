/**
 * Which parts of a destination that name a person a shop's rules read. What none of them reads is not kept
 * of a simulation.
 */
import type { ConditionType } from '../domain/condition.ts';
import type { PlacedConfig, PlacedMethod } from '../domain/shop-event.ts';

/** Bits of a set of fields. */
export const PERSONAL_FIELD = { name: 1, company: 2, phone: 4, street: 8 } as const;

const FIELD_OF_TYPE: Partial<Record<ConditionType, number>> = {
  destination_name: PERSONAL_FIELD.name,
  destination_company: PERSONAL_FIELD.company,
  destination_phone: PERSONAL_FIELD.phone,
  destination_address: PERSONAL_FIELD.street,
};

/** Method -> its fields: an edit looks again at the methods that it touched, not at all rules of the shop. */
const known = new WeakMap<PlacedMethod, number>();

/** The fields that any rule of the configuration reads, disabled ones included. */
export function personalFieldsRead({ methods }: PlacedConfig): number {
  let fields = 0;
  for (const method of methods) {
    let read = known.get(method);
    if (read === undefined) {
      read = fieldsOf(method);
      known.set(method, read);
    }
    fields |= read;
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
