/**
 * Shards by id: an index of a hundred thousand records in one map takes 5 to 13 ms at once each time it grows; many
 * small ones, told apart by the ends of the ids, do not.
 */

/** A power of two. With 100,000 ids each map holds some 1,600. */
export const ID_SHARDS = 64;
/** Made ids begin with their time: what tells neighbours apart stands at the end. */
const HASHED_CHARACTERS = 6;

/** From 0 to `ID_SHARDS - 1`, always the same for an id. */
export function shardOfId(id: string): number {
  let hash = 0;
  for (let at = Math.max(0, id.length - HASHED_CHARACTERS); at < id.length; at++) {
    hash = (hash * 31 + id.charCodeAt(at)) | 0;
  }
  return (hash ^ (hash >>> 6) ^ (hash >>> 12)) & (ID_SHARDS - 1);
}
