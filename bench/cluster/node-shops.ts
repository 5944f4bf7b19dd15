/** A node of a cluster in this process, put together as the service puts it together, without HTTP. */

import { silentLogger } from '../../src/base/runtime/logger.ts';
import type { EventLog } from '../../src/store/log/event-log.ts';
import { openLog } from '../../src/store/node/open-log.ts';
import { type LocalShops, shopsOver } from '../store/local-shops.ts';

interface NodeShops extends Pick<LocalShops, 'directory' | 'close'> {
  readonly log: EventLog;
}

const NO_KEYS = { forgetShop: () => {}, forgetAll: () => {} };

/** Joins the cluster of the database, with an empty mirror in the folder. */
export async function openNodeShops(dataPath: string, databaseUrl: string): Promise<NodeShops> {
  const opened: (() => Promise<void>)[] = [];
  const { shared } = await openLog(
    { dataPath, databaseUrl, databaseCopies: 'standbys', staleSeconds: 0 },
    {
      logger: silentLogger,
      opened: (close) => opened.unshift(close),
      secrets: { probe: null, admit: () => {} },
      onFatal: (cause) => {
        throw cause;
      },
    },
  );
  if (shared === null) throw new Error('no node without a database');
  const directory = shopsOver({ log: shared.log, following: shared.node.follower });
  await shared.start({ shops: directory, keys: NO_KEYS });
  return {
    log: shared.log,
    directory,
    close: async () => {
      await directory.close();
      await shared.stop();
      for (const close of opened) await close();
    },
  };
}
