/** Zones as the editor of records handles them. */
import type { Schemas } from '../../client/call-table.ts';
import { mapped, type RecordKind, type SavedRecord } from '../parts/use-record.ts';

type Zone = Schemas['Zone'];

/** A subzone that is not saved yet has no id. */
export type DraftSubzone = Schemas['SubzoneData'];

export interface ZoneDraft {
  readonly name: string;
  readonly countries: readonly string[];
  readonly subzones: readonly DraftSubzone[];
}

export const BLANK_ZONE: ZoneDraft = { name: '', countries: [], subzones: [] };

const fieldsOf = ({ name, countries, subzones }: Zone): ZoneDraft => ({ name, countries, subzones });

const saved = ({ zone }: { readonly zone: Zone }): SavedRecord<ZoneDraft> => ({
  id: zone.id,
  fields: fieldsOf(zone),
});

export const ZONE_KIND: RecordKind<ZoneDraft> = {
  page: 'zones',
  noun: 'zone',
  read: async (calls, id, options) => mapped(await calls.getZone(id, options), ({ zone }) => fieldsOf(zone)),
  create: async (calls, draft, options) => mapped(await calls.createZone(draft, options), saved),
  update: async (calls, id, changed, options) => mapped(await calls.updateZone(id, changed, options), saved),
  remove: (calls, id, options) => calls.deleteZone(id, options),
};
