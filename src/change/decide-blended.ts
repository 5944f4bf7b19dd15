/** Writes of blended rates (contract section 3). */
import type { BlendedRate } from '../domain/blended-rate.ts';
import { notFound, type Outcome } from '../domain/failure.ts';
import { extended } from '../runtime/extended.ts';
import { blendedRateView } from '../wire/record-view.ts';
import type { CommandResult } from './command.ts';
import { type CommandOf, type ConfigWrite, deleted, edited, newId, type WriteScope } from './decision.ts';
import { Defects } from './defects.ts';
import { asItIs } from './diff.ts';
import { indexOfMoved, indexOfNew, insertion, removal, update } from './record-edit.ts';
import { readBlended } from './record-input.ts';
import { referencesIn } from './references.ts';
import { BLENDED_CODE_FALLBACK, defaultServiceCode } from './service-code.ts';

const blendedResult = (blended: BlendedRate, position: number): CommandResult => ({
  kind: 'blendedRate',
  blendedRate: blendedRateView(blended, position),
});

export function createBlended(scope: WriteScope, { body }: CommandOf<'createBlended'>): Outcome<ConfigWrite> {
  const { zones, blendedRates } = scope.config;
  const id = newId(scope, 'blendedRate');
  const defects = new Defects();
  const serviceCode = () => defaultServiceCode(zones, blendedRates, body, BLENDED_CODE_FALLBACK);
  const report = (path: string, text: string) => defects.add(path, text);
  const blended = readBlended(id, body, referencesIn(scope), serviceCode, report);
  if (defects.found) return defects.failure();
  const index = indexOfNew(blendedRates, body.position);
  const edit = insertion(index, extended(blended, { placement: scope.placement }));
  const description = `Blended rate "${blended.name}" created`;
  return edited('blendedRates', edit, description, blendedResult(blended, index));
}

export function updateBlended(
  scope: WriteScope,
  { id, body }: CommandOf<'updateBlended'>,
): Outcome<ConfigWrite> {
  const { blendedRates } = scope.config;
  const index = blendedRates.findIndex((blended) => blended.id === id);
  const old = blendedRates[index];
  if (old === undefined) return notFound('blendedRate', id);
  const defects = new Defects();
  const report = (path: string, text: string) => {
    // The stored preferences are valid, so only a changed zone can break them.
    if (path !== '/zoneId' && body.preferences === undefined) {
      defects.add('/zoneId', `does not suit the preferences as they are: ${path} ${text}`);
    } else {
      defects.add(path, text);
    }
  };
  const blended = readBlended(id, { ...old, ...body }, referencesIn(scope), () => old.serviceCode, report);
  if (defects.found) return defects.failure();
  const record = extended(blended, { placement: old.placement });
  const target = { position: indexOfMoved(blendedRates, index, body.position), placement: scope.placement };
  const edit = update('blendedRate', blendedRates, index, record, target, asItIs);
  const description = `Blended rate "${blended.name}" updated`;
  return edited('blendedRates', edit, description, blendedResult(blended, target.position));
}

export function deleteBlended(scope: WriteScope, { id }: CommandOf<'deleteBlended'>): Outcome<ConfigWrite> {
  const blended = scope.config.blendedRates.find((candidate) => candidate.id === id);
  if (blended === undefined) return notFound('blendedRate', id);
  return edited('blendedRates', removal(blended), `Blended rate "${blended.name}" deleted`, deleted(id));
}
