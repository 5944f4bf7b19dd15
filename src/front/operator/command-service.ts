/** The service of a command that works on a data folder without a server: in its process, on the socket of the folder alone. */
import { closeInReverse } from '../../base/runtime/close-in-reverse.ts';
import { silentLogger } from '../../base/runtime/logger.ts';
import { openService } from '../service.ts';
import type { Settings } from '../settings.ts';

interface CommandService {
  /** For `createOperator`. */
  readonly socketPath: string;
  /** Rejects when the log or the database fails; never resolves. */
  readonly failure: Promise<never>;
  /** Answers what is under way, and flushes. */
  close(): Promise<void>;
}

/**
 * Waits while another command works on the folder. Rejects with `DataFolderServedError` when a server runs on it, and with
 * `AuthorityUnavailableError`. Makes a missing data folder.
 */
export async function startForCommand(settings: Settings): Promise<CommandService> {
  const closing: (() => Promise<void>)[] = [];
  let failed: (cause: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  const close = () => closeInReverse(closing, () => {});
  const start = async (): Promise<string> => {
    const { shared, shops, keys, server, socketPath } = await openService(settings, {
      kind: 'command',
      logger: silentLogger,
      opened: (part) => closing.push(part),
      onFatal: (cause) => failed(cause),
      phase: () => 'ready',
    });
    await shared?.start({ shops, keys });
    server.open();
    closing.push(async () => {
      await server.drain();
      server.close();
    });
    return socketPath;
  };
  try {
    const socketPath = await Promise.race([start(), failure]);
    return { socketPath, failure, close: async () => void (await close()) };
  } catch (error) {
    await close();
    throw error;
  }
}
