/** `audit`: who changed keys, settings, plan, secrets and changesets of a shop (contract section 12.3). */
import type { AuditEntry } from '../../engine/domain/audit.ts';
import { withoutUndefined } from '../client/caller.ts';
import { type Command, columns, JSON_OPTION, printResult } from './command.ts';
import { usageError } from './exit-code.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';

const LIMIT_DEFAULT = 20;

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly nextCursor: string | null;
}

export const command: Command = {
  options: {
    ...SHOP_OPTIONS,
    limit: { value: 'N', description: `Entries to show, at most 100 (default: ${LIMIT_DEFAULT})` },
    cursor: { value: 'ID', description: 'Show those before this entry' },
    json: JSON_OPTION,
  },
  async run(input) {
    const text = input.option('limit') ?? String(LIMIT_DEFAULT);
    if (!/^([1-9]\d?|100)$/.test(text)) throw usageError('--limit must be a whole number from 1 to 100');
    const query = withoutUndefined({ limit: Number(text), cursor: input.option('cursor') });
    await withShop(input, async (client) => {
      const page: AuditPage = answered(await client.listAudit({ query }));
      printResult(input, page, () => auditLines(page));
    });
  },
};

/** A table, newest first, and how to see what is older. */
function auditLines({ entries, nextCursor }: AuditPage): string[] {
  if (entries.length === 0) return ['Nothing yet'];
  const cells = entries.map(({ at, keyLabel, action, subject, before, after }) => [
    at,
    keyLabel,
    action,
    subject.name === '' ? subject.id : subject.name,
    changeText(before ?? {}, after ?? {}),
  ]);
  const lines = columns([['AT', 'WHO', 'ACTION', 'WHAT', 'CHANGE'], ...cells]);
  return nextCursor === null ? lines : [...lines, `More: --cursor ${nextCursor}`];
}

type Fields = Readonly<Record<string, unknown>>;

/** `field: before -> after` of each field; only one of the values where the other side does not have it. */
function changeText(before: Fields, after: Fields): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const text = (name: string) =>
    [before, after].flatMap((fields) => (name in fields ? [JSON.stringify(fields[name])] : [])).join(' -> ');
  return names.map((name) => `${name}: ${text(name)}`).join(', ');
}
