/** A version in one sentence: its number, when it was made, with which key, and what it did. */
import type { Schemas } from '../../client/call-table.ts';

const ORIGINS = {
  system: 'made by the service',
  user: 'saved',
  import: 'imported',
  rollback: 'rolled back',
  promotion: 'promoted',
} as const;

export function VersionSentence({ version }: { readonly version: Schemas['VersionRecord'] }) {
  const { number, createdAt, createdBy, keyId, keyLabel, description } = version;
  const author = keyLabel ?? keyId;
  const origin = `${ORIGINS[createdBy]}${author === null ? '' : ` with the key “${author}”`}`;
  return (
    <>
      Version {number}, {new Date(createdAt).toLocaleString()}, {origin}:{' '}
      <strong>{description || 'no description'}</strong>
    </>
  );
}
