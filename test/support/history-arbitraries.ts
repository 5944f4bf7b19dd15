/** Random histories: commands on the configuration, with rollbacks and changesets between them. */
import fc from 'fast-check';
import type { Command } from '../../src/engine/change/command.ts';
import type { ShopState } from '../../src/engine/domain/shop-event.ts';
import { type CommandIntent, commandIntent, commandOf } from './command-arbitraries.ts';
import { pick } from './record-arbitraries.ts';

type HistoryKind = 'enterStaging' | 'promoteStaging' | 'discardStaging';

export type HistoryIntent =
  | { readonly kind: 'write'; readonly intent: CommandIntent }
  | { readonly kind: 'rollback'; readonly target: number }
  | { readonly kind: HistoryKind };

const only = <K extends HistoryKind>(kind: K) => fc.constant({ kind });

export const historyIntent: fc.Arbitrary<HistoryIntent> = fc.oneof(
  { weight: 20, arbitrary: commandIntent.map((intent) => ({ kind: 'write' as const, intent })) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollback' as const), target: pick }) },
  { weight: 2, arbitrary: only('enterStaging') },
  { weight: 1, arbitrary: only('promoteStaging') },
  { weight: 1, arbitrary: only('discardStaging') },
);

/** The command of an intent for the current state; a rollback picks one of `versionIds`. */
export function historyCommandOf(
  intent: HistoryIntent,
  state: ShopState,
  versionIds: readonly string[],
): Command {
  switch (intent.kind) {
    case 'write':
      // Picks records from the configuration that the write will change.
      return commandOf(intent.intent, { ...state, config: (state.staging ?? state).config });
    case 'rollback':
      return {
        kind: 'rollback',
        targetVersionId: versionIds[intent.target % versionIds.length] ?? 'version_x',
      };
    default:
      return { kind: intent.kind };
  }
}
