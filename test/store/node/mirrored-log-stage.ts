/** A node over any authority, and its log for the contract suite of logs. */
import assert from 'node:assert/strict';
import { systemClock } from '../../../src/base/runtime/clock.ts';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { newMeter } from '../../../src/store/cluster/node-ports.ts';
import type { Authority } from '../../../src/store/log/authority.ts';
import type { EventLog } from '../../../src/store/log/event-log.ts';
import { openLmdbEventLog } from '../../../src/store/log/lmdb/lmdb-event-log.ts';
import { SharedNode, type SharedNodePorts } from '../../../src/store/node/shared-node.ts';

export interface MirrorParts {
  readonly folder: string;
  readonly authority: Authority;
}

const MIRROR_ID = '00000000-0000-4000-8000-000000000001';

const partsOf = new WeakMap<EventLog, MirrorParts>();

export const nodeOn = (
  { folder, authority }: MirrorParts,
  logger: SharedNodePorts['logger'] = silentLogger,
): SharedNode =>
  new SharedNode({
    authority,
    copy: openLmdbEventLog({ path: folder }),
    mirrorId: MIRROR_ID,
    clock: systemClock,
    self: { node: 'test', readsFormat: 1 },
    staleSeconds: 0,
    logger,
    meter: newMeter(),
    onFatal: assert.fail,
  });

export function openOn({ folder, authority }: MirrorParts): EventLog {
  const { log } = nodeOn({ folder, authority });
  partsOf.set(log, { folder, authority });
  return log;
}

export async function reopen(log: EventLog): Promise<EventLog> {
  await log.close();
  return openOn(partsOf.get(log) ?? assert.fail());
}
