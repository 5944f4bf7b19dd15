/** Checks as the editor of records handles them. */
import type { Schemas } from '../../client/call-table.ts';
import { recordKind } from '../parts/record-kind.ts';

export type CheckDraft = Readonly<Omit<Schemas['CheckRecord'], 'id' | 'position'>>;
export type Expectation = Schemas['Expectation'];

export const CHECK_KIND = recordKind<CheckDraft>({
  page: 'checks',
  noun: 'check',
  read: (calls, id, options) => calls.getCheck(id, options),
  // One route creates and runs checks; a body without an action creates one.
  create: (calls, draft, options) => calls.createOrRunChecks(draft, options),
  update: (calls, id, changed, options) => calls.updateCheck(id, changed, options),
  remove: (calls, id, options) => calls.deleteCheck(id, options),
});
