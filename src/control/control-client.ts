/**
 * A command's end of the control socket: tells the server of the same data folder, if one runs, which shop
 * was changed, and waits until the server's readers see it.
 */
import { createConnection } from 'node:net';
import { decodeAcknowledgement, encodeLine, readLine } from './control-message.ts';
import { controlPath, isControlFolderSafe, NOBODY_LISTENS } from './control-path.ts';

const ACKNOWLEDGE_MS = 5_000;

/** `notRunning`: nobody to tell. `unconfirmed`: a server is there but did not say that it has the change. */
export type Notified = 'acknowledged' | 'notRunning' | 'unconfirmed';

/** Call it once the change is on disk. Never rejects. */
export function notifyServer(
  dataFolder: string,
  shopId: string,
  timeoutMs = ACKNOWLEDGE_MS,
): Promise<Notified> {
  return new Promise((resolve) => {
    if (!isControlFolderSafe(dataFolder)) {
      resolve('unconfirmed');
      return;
    }
    const socket = createConnection(controlPath(dataFolder));
    const finish = (notified: Notified): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(notified);
    };
    const timer = setTimeout(() => finish('unconfirmed'), timeoutMs);
    socket.once('connect', () => socket.write(encodeLine({ shopId })));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      finish(NOBODY_LISTENS.has(error.code) ? 'notRunning' : 'unconfirmed'),
    );
    socket.once('close', () => finish('unconfirmed'));
    readLine(socket, (line) =>
      finish(decodeAcknowledgement(line)?.ok === true ? 'acknowledged' : 'unconfirmed'),
    );
  });
}
