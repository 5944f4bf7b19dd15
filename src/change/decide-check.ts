/** Writes of checks (contract section 10.1). */
import type { Check } from '../domain/check.ts';
import { notFound, type Outcome } from '../domain/failure.ts';
import { extended } from '../runtime/extended.ts';
import { checkView } from '../wire/record-view.ts';
import type { CommandResult } from './command.ts';
import { type CommandOf, type ConfigWrite, deleted, edited, newId, type WriteScope } from './decision.ts';
import { Defects } from './defects.ts';
import { asItIs } from './diff.ts';
import { indexOfMoved, indexOfNew, insertion, removal, update } from './record-edit.ts';
import { readCheck } from './record-input.ts';

const checkResult = (check: Check, position: number): CommandResult => ({
  kind: 'check',
  check: checkView(check, position),
});

export function createCheck(scope: WriteScope, { body }: CommandOf<'createCheck'>): Outcome<ConfigWrite> {
  const { checks } = scope.config;
  const defects = new Defects();
  const check = readCheck(newId(scope, 'check'), body, '', defects);
  if (defects.found) return defects.failure();
  const index = indexOfNew(checks, body.position);
  const edit = insertion(index, extended(check, { placement: scope.placement }));
  return edited('checks', edit, `Check "${check.name}" created`, checkResult(check, index));
}

export function updateCheck(scope: WriteScope, { id, body }: CommandOf<'updateCheck'>): Outcome<ConfigWrite> {
  const { checks } = scope.config;
  const index = checks.findIndex((check) => check.id === id);
  const old = checks[index];
  if (old === undefined) return notFound('check', id);
  const defects = new Defects();
  const check = readCheck(id, { ...old, ...body }, '', defects);
  if (defects.found) return defects.failure();
  const record = extended(check, { placement: old.placement });
  const target = { position: indexOfMoved(checks, index, body.position), placement: scope.placement };
  const edit = update('check', checks, index, record, target, asItIs);
  return edited('checks', edit, `Check "${check.name}" updated`, checkResult(check, target.position));
}

export function deleteCheck(scope: WriteScope, { id }: CommandOf<'deleteCheck'>): Outcome<ConfigWrite> {
  const check = scope.config.checks.find((candidate) => candidate.id === id);
  if (check === undefined) return notFound('check', id);
  return edited('checks', removal(check), `Check "${check.name}" deleted`, deleted(id));
}
