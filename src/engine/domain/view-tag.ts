/** Entity tags of what reads show. Without the schema library, so that the console can load it. */
import type { ShopState } from './shop-event.ts';

/** Between the parts of a tag; no id contains it. */
const SEPARATOR = '.';

/**
 * The tag of what reads show by default: the id of the live version; while a changeset is active, also its id and the number
 * of its writes. So it changes with each write to the changeset and with its end, and never comes back.
 */
export const viewTagOf = ({ version, staging }: Pick<ShopState, 'version' | 'staging'>): string =>
  staging === null ? version.id : [version.id, staging.id, staging.writes.length].join(SEPARATOR);

/** The id of the changeset that a tag is of; null for the tag of what is live. */
export const changesetOfTag = (tag: string): string | null => tag.split(SEPARATOR)[1] ?? null;

/** The tags with which a write passes as `If-Match`: that of the live version, and that of what reads show by default. */
export const currentTagsOf = (state: Pick<ShopState, 'version' | 'staging'>): readonly string[] => [
  state.version.id,
  viewTagOf(state),
];
