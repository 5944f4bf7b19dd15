/** Checks as the editor of records handles them. */
import type { CallOutcome } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { mapped, type RecordKind, type SavedRecord } from '../parts/use-record.ts';

type Check = Schemas['CheckRecord'];

export type CheckDraft = Readonly<Omit<Check, 'id' | 'position'>>;
export type Expectation = Schemas['Expectation'];

const saved = ({ check }: { readonly check: Check }): SavedRecord<CheckDraft> => {
  const { id, position: _, ...fields } = check;
  return { id, fields };
};

export const CHECK_KIND: RecordKind<CheckDraft> = {
  page: 'checks',
  noun: 'check',
  read: async (calls, id, options) => mapped(await calls.getCheck(id, options), (read) => saved(read).fields),
  create: async (calls, draft, options) => {
    const outcome = await calls.createOrRunChecks(draft, options);
    // One route creates and runs checks; a body without an action creates one.
    return mapped(outcome as CallOutcome<{ readonly check: Check }>, saved);
  },
  update: async (calls, id, changed, options) => mapped(await calls.updateCheck(id, changed, options), saved),
  remove: (calls, id, options) => calls.deleteCheck(id, options),
};
