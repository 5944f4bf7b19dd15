/**
 * The `EventLog` of a node: the authority decides what is appended, and the mirror holds it before the append is
 * reported. All reads are from the mirror, which the node keeps up to date (`cluster/follower.ts`).
 */
import { randomUUID } from 'node:crypto';
import { asError } from '../../base/runtime/thrown-error.ts';
import type { ClusterNode, WriteOutcome } from '../cluster/cluster-node.ts';
import {
  type AppendGroup,
  type Authority,
  AuthorityUnavailableError,
  type RecordHead,
} from '../log/authority.ts';
import { type AppendResult, DiskFullError, type EventLog, type NewRecord } from '../log/event-log.ts';
import { encodeGroup } from '../log/record-codec.ts';
import type { LmdbMirror } from './lmdb-mirror.ts';

interface MirroredLogPorts {
  /** The log that holds the mirror. */
  readonly copy: EventLog;
  readonly mirror: Pick<LmdbMirror, 'head' | 'storedCheckpoint' | 'requireRoom'>;
  /** The authority stores the counts of this node under this id. */
  readonly mirrorId: string;
  readonly authority: Pick<
    Authority,
    'writeKeyUse' | 'readKeyUse' | 'states' | 'writeCheckpoint' | 'trim' | 'writeShopText' | 'readShopTexts'
  >;
  /** Its turns leave the mirror up to date, also after a lost race. */
  readonly node: Pick<ClusterNode, 'append' | 'appendAlone' | 'seenEverywhere'>;
}

const CLOSED: AppendResult = { kind: 'unavailable', cause: new Error('the log is closed') };

export function mirroredEventLog(ports: MirroredLogPorts): EventLog {
  const { copy, mirror, mirrorId, authority, node } = ports;
  let isClosed = false;

  const groupOf = (shopId: string, expected: RecordHead, records: readonly NewRecord[]): AppendGroup =>
    encodeGroup(shopId, expected, records, randomUUID());

  /** A write that the mirror has no room for is refused before any node has it. */
  async function appendWithRoom(group: AppendGroup): Promise<WriteOutcome> {
    mirror.requireRoom(group.records);
    return node.append(group);
  }

  async function resultOf(turn: Promise<WriteOutcome>): Promise<AppendResult | null> {
    try {
      const result = await turn;
      if (result.kind === 'nothingToAppend') return null;
      return result.kind === 'unavailable' ? { kind: 'unreachable', cause: result.cause } : result;
    } catch (error) {
      // The mirror could not be brought up to date: nothing was appended.
      if (error instanceof AuthorityUnavailableError) return { kind: 'unreachable', cause: asError(error) };
      if (error instanceof DiskFullError) return { kind: 'diskFull', cause: error };
      throw error;
    }
  }

  return {
    async append(shopId, expectedSequenceNumber, records) {
      if (isClosed) return CLOSED;
      const known = mirror.head(shopId);
      if (known.sequenceNumber !== expectedSequenceNumber) return { kind: 'staleWriter' };
      const group = groupOf(shopId, known, records);
      const result = await resultOf(appendWithRoom(group));
      if (result === null) throw new RangeError('an append has at least one record');
      return result;
    },

    async appendAlone(shopId, decide) {
      if (isClosed) return CLOSED;
      const turn = node.appendAlone(shopId, async () => {
        const records = await decide();
        if (records.length === 0) return null;
        const group = groupOf(shopId, mirror.head(shopId), records);
        mirror.requireRoom(group.records);
        return group;
      });
      return resultOf(turn);
    },

    seenEverywhere: () => node.seenEverywhere(),

    lastSequenceNumber: (...of) => copy.lastSequenceNumber(...of),
    read: (...of) => copy.read(...of),
    /** The shops in the mirror: all that this node has loaded since the mirror was made. */
    shopIds: () => copy.shopIds(),
    latestCheckpoint: (...of) => copy.latestCheckpoint(...of),
    writeCheckpoint: (...of) => copy.writeCheckpoint(...of),
    versionAt: (...of) => copy.versionAt(...of),
    oldestVersion: (...of) => copy.oldestVersion(...of),
    readAudit: (...of) => copy.readAudit(...of),
    removedUpTo: (...of) => copy.removedUpTo(...of),
    findKey: (...of) => copy.findKey(...of),
    findAnswer: (...of) => copy.findAnswer(...of),
    forgetAnswers: (...of) => copy.forgetAnswers(...of),
    readKeyUse: (...of) => copy.readKeyUse(...of),
    readShopText: (...of) => copy.readShopText(...of),

    /** Copies the checkpoint at the new beginning from the mirror to the authority, and trims the authority first. */
    async trim(shopId, upTo) {
      const [state] = await authority.states([shopId]);
      const removedUpTo = state?.removedUpTo ?? 0;
      // The checkpoint of an earlier beginning is there already.
      const stored = upTo <= removedUpTo ? null : mirror.storedCheckpoint(shopId, upTo);
      if (stored !== null) await authority.writeCheckpoint(shopId, { sequenceNumber: upTo, stored });
      if (upTo >= removedUpTo) await authority.trim(shopId, upTo);
      return copy.trim(shopId, upTo);
    },

    async writeKeyUse(uses) {
      await copy.writeKeyUse(uses);
      await authority.writeKeyUse(uses);
    },

    async refreshKeyUse(keyIds) {
      await copy.writeKeyUse(await authority.readKeyUse(keyIds));
    },

    async writeShopText(kind, shopId, text) {
      await copy.writeShopText(kind, shopId, text);
      await authority.writeShopText(kind, shopId, mirrorId, text);
    },

    async textsElsewhere(kind, shopId) {
      const texts = await authority.readShopTexts(kind, shopId);
      return [...texts].filter(([id]) => id !== mirrorId).map(([, text]) => text);
    },

    close() {
      isClosed = true;
      return copy.close();
    },
  };
}
