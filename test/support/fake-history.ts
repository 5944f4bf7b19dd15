/** The versions of a shop in memory, with the simplest answers that have the right shape. */

import type { Command, CommandResult } from '../../src/engine/change/command.ts';
import { conflict, notFound, type Outcome, success } from '../../src/engine/domain/failure.ts';
import type { PlacedConfig, ShopState } from '../../src/engine/domain/shop-event.ts';
import { type Comparison, NO_DIFFERENCES, type Version } from '../../src/engine/domain/version.ts';
import { stagingView } from '../../src/engine/wire/staging.ts';
import type { ShopAccess } from '../../src/shop/reader/shop-access.ts';
import type { VersionDetail, VersionListQuery, VersionPage } from '../../src/shop/reader/shop-history.ts';

const NO_CHANGES = { added: 0, modified: 0, removed: 0 };

type HistoryCommand = Extract<
  Command,
  { kind: 'rollback' | 'enterStaging' | 'promoteStaging' | 'discardStaging' }
>;

export const isHistoryCommand = (command: Command): command is HistoryCommand =>
  command.kind === 'rollback' || command.kind.endsWith('Staging');

export class FakeHistory implements Readonly<ShopAccess['history']> {
  /** Oldest first. */
  readonly versions: { readonly version: Version; readonly config: PlacedConfig }[] = [];
  /** Every list that was asked for. */
  readonly queries: VersionListQuery[] = [];

  idOf(reference: string): string {
    const found =
      reference === 'live'
        ? this.versions.at(-1)
        : this.versions.find(({ version }) => String(version.number) === reference);
    return found?.version.id ?? reference;
  }

  list(query: VersionListQuery): Outcome<VersionPage> {
    this.queries.push(query);
    const newestFirst = this.versions.map(({ version }) => version).reverse();
    const behind = newestFirst.findIndex(({ id }) => id === query.cursor);
    if (query.cursor !== null && behind < 0) return notFound('version', query.cursor);
    const rest = newestFirst.slice(behind + 1);
    const versions = rest.slice(0, query.limit);
    return success({
      versions,
      nextCursor: rest.length > query.limit ? (versions.at(-1)?.id ?? null) : null,
    });
  }

  read(versionId: string): Outcome<VersionDetail> {
    const found = this.versions.find(({ version }) => version.id === versionId);
    return found === undefined ? notFound('version', versionId) : success({ ...found, diff: NO_DIFFERENCES });
  }

  compare(versionA: string, versionB: string): Outcome<Comparison> {
    for (const versionId of [versionA, versionB]) {
      const found = this.read(versionId);
      if (!found.ok) return found;
    }
    return success(NO_DIFFERENCES);
  }

  oldest(): Version {
    const [first] = this.versions;
    if (first === undefined) throw new Error('a shop has a version');
    return first.version;
  }

  /** Decides rollbacks and the commands of changesets; `configure` makes a version of a configuration. */
  decide(
    command: HistoryCommand,
    state: ShopState,
    configure: (change: Partial<ShopState>) => ShopState,
  ): Outcome<CommandResult> {
    const { staging } = state;
    switch (command.kind) {
      case 'rollback': {
        const target = this.read(command.targetVersionId);
        if (!target.ok) return target;
        const { version } = configure({ config: target.value.config });
        return success({ kind: 'rolledBack', version, summary: NO_CHANGES });
      }
      case 'enterStaging': {
        if (staging !== null) return conflict('a changeset is active already');
        const origin = {
          id: 'staging_made',
          baseVersionId: state.version.id,
          enteredAt: state.version.createdAt,
          enteredBy: null,
        };
        const entered = { ...origin, config: state.config, writes: [] };
        configure({ staging: entered });
        return success({ kind: 'stagingEntered', staging: stagingView(entered, NO_DIFFERENCES, []) });
      }
      default: {
        if (staging === null) return conflict('no staging changeset is active');
        const { version } = configure({ staging: null });
        return command.kind === 'discardStaging'
          ? success({ kind: 'discarded' })
          : success({ kind: 'promoted', version, summary: NO_CHANGES });
      }
    }
  }
}
