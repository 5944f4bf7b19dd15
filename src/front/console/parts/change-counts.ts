/** How many records a version or a changeset changes, in words. */
interface Counts {
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
}

export const changeCounts = ({ added, modified, removed }: Counts): string =>
  [
    [added, 'added'],
    [modified, 'changed'],
    [removed, 'removed'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${count?.toLocaleString()} ${what}`)
    .join(', ') || 'nothing changed';
