/** Writes of blended rates (contract section 3). */
import type { BlendedRate } from '../domain/blended-rate.ts';
import { notFound, type Outcome } from '../domain/failure.ts';
import { extended } from '../runtime/extended.ts';
import { blendedRateView } from '../wire/record-view.ts';
import { readBlended } from './blended-input.ts';
import type { CommandResult } from './command.ts';
import {
  type CommandOf,
  type ConfigWrite,
  deleted,
  edited,
  newId,
  type WriteScope,
  written,
} from './decision.ts';
import { Defects } from './defects.ts';
import { placeOfMoved, placeOfNew, updatedList } from './place.ts';
import { placeOfId } from './record-places.ts';
import { References } from './references.ts';
import { BLENDED_CODE_FALLBACK, defaultServiceCode } from './service-code.ts';

const blendedResult = (blended: BlendedRate, position: number): CommandResult => ({
  kind: 'blendedRate',
  blendedRate: blendedRateView(blended, position),
});

export function createBlended(scope: WriteScope, { body }: CommandOf<'createBlended'>): Outcome<ConfigWrite> {
  const { config } = scope;
  const id = newId(scope, 'blendedRate');
  const references = new References(config);
  const defects = new Defects();
  const codesByZone = new Map<string, string[]>();
  for (const { zoneId, serviceCode } of config.blendedRates) {
    codesByZone.set(zoneId, [...(codesByZone.get(zoneId) ?? []), serviceCode]);
  }
  const serviceCode = () =>
    defaultServiceCode(
      (zoneId) => codesByZone.get(zoneId) ?? [],
      references,
      body.zoneId,
      body.name,
      BLENDED_CODE_FALLBACK,
    );
  const blended = readBlended(id, body, references, serviceCode, (path, text) => defects.add(path, text));
  if (defects.found) return defects.failure();
  const record = extended(blended, { placement: scope.placement });
  const index = placeOfNew(config.blendedRates, body.position);
  const description = `Blended rate "${blended.name}" created`;
  const edit = { index, old: null, record };
  return edited({ list: 'blendedRates', edit }, description, blendedResult(blended, index));
}

export function updateBlended(
  scope: WriteScope,
  { id, body }: CommandOf<'updateBlended'>,
): Outcome<ConfigWrite> {
  const { config } = scope;
  const index = placeOfId(config.blendedRates, id);
  const old = config.blendedRates[index];
  if (old === undefined) return notFound('blendedRate', id);
  const defects = new Defects();
  const report = (path: string, text: string) => {
    // Preferences that the body does not have can only be at odds with the zone that it has.
    if (path !== '/zoneId' && body.preferences === undefined) {
      defects.add('/zoneId', `does not suit the preferences as they are: ${path} ${text}`);
    } else {
      defects.add(path, text);
    }
  };
  const input = { ...old, ...body };
  const references = new References(config);
  const blended = readBlended(id, input, references, () => old.serviceCode, report);
  if (defects.found) return defects.failure();
  const record = extended(blended, { placement: old.placement });
  const position = placeOfMoved(config.blendedRates, index, body.position);
  const description = `Blended rate "${blended.name}" updated`;
  const result = blendedResult(blended, position);
  if (position === index) {
    return edited({ list: 'blendedRates', edit: { index, old, record } }, description, result);
  }
  const list = updatedList(config.blendedRates, index, record, position, scope.placement);
  return written(scope, { blendedRates: list }, description, result);
}

export function deleteBlended(scope: WriteScope, { id }: CommandOf<'deleteBlended'>): Outcome<ConfigWrite> {
  const { blendedRates } = scope.config;
  const index = placeOfId(blendedRates, id);
  const blended = blendedRates[index];
  if (blended === undefined) return notFound('blendedRate', id);
  const edit = { index, old: blended, record: null };
  return edited({ list: 'blendedRates', edit }, `Blended rate "${blended.name}" deleted`, deleted(id));
}
