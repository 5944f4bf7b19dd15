/** Zones as the editor of records handles them. */
import type { Schemas } from '../../client/call-table.ts';
import { isNewId } from '../parts/merged-draft.ts';
import { recordKind } from '../parts/record-kind.ts';

export interface ZoneDraft {
  readonly name: string;
  readonly countries: readonly string[];
  readonly subzones: readonly Schemas['Subzone'][];
}

export const BLANK_ZONE: ZoneDraft = { name: '', countries: [], subzones: [] };

/** The service gives new subzones their ids. */
const bodyOf = <Z extends Partial<ZoneDraft>>({ subzones, ...fields }: Z) => ({
  ...fields,
  ...(subzones && { subzones: subzones.map(({ id, ...rest }) => (isNewId(id) ? rest : { id, ...rest })) }),
});

export const ZONE_KIND = recordKind<ZoneDraft>({
  page: 'zones',
  noun: 'zone',
  read: (calls, id, options) => calls.getZone(id, options),
  create: (calls, draft, options) => calls.createZone(bodyOf(draft), options),
  update: (calls, id, changed, options) => calls.updateZone(id, bodyOf(changed), options),
  remove: (calls, id, options) => calls.deleteZone(id, options),
  // The service answers subzones in the order in which they were sent.
  idsOf: (draft, saved) => draft.subzones.map(({ id }, at) => [id, saved.subzones[at]?.id ?? id]),
});
