/** Opens the authority in the settings. Loads the PostgreSQL client only then. */
import { type Authority, AuthorityUnavailableError } from '../log/authority.ts';
import { UnusableDataFileError } from '../log/event-log.ts';

/** Rejects with `UnusableDataFileError`; its one line says for each server why it is not used. */
export async function openAuthority(url: string, copies: 'standbys' | 'managed'): Promise<Authority> {
  const { openPostgresAuthority } = await import('../log/postgres/postgres-authority.ts');
  try {
    return await openPostgresAuthority({ url, copies });
  } catch (error) {
    if (!(error instanceof AuthorityUnavailableError)) throw error;
    throw new UnusableDataFileError(`the database cannot be used: ${error.message}`, { cause: error });
  }
}
