/**
 * The command's side of the control socket: notifies the server of the same data folder, if one runs, that a shop changed,
 * or asks it whether a shop may be deleted.
 */
import { createConnection } from 'node:net';
import { decodeAcknowledgement, encodeLine, readLine, type ShopMessage } from './control-message.ts';
import { controlPath, isControlFolderSafe, isListening, NOBODY_LISTENS } from './control-path.ts';

const REPLY_MS_MAX = 5_000;

/**
 * `refused`: the server cannot show the change, or has pending writes of the shop. `notRunning`: there is no server.
 * `unconfirmed`: there may be a server, but it did not answer.
 */
type Reply = 'acknowledged' | 'refused' | 'notRunning' | 'unconfirmed';

/** True unless it is certain that no server of this data folder runs. */
export async function isServed(dataFolder: string): Promise<boolean> {
  return !isControlFolderSafe(dataFolder) || isListening(controlPath(dataFolder)).catch(() => true);
}

/** Sends a message and resolves with the reply; a change must be on disk before. Never rejects. */
export function askServer(
  dataFolder: string,
  message: ShopMessage,
  replyMsMax: number = REPLY_MS_MAX,
): Promise<Reply> {
  return new Promise((resolve) => {
    if (!isControlFolderSafe(dataFolder)) {
      resolve('unconfirmed');
      return;
    }
    const socket = createConnection(controlPath(dataFolder));
    const finish = (reply: Reply): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reply);
    };
    const timer = setTimeout(() => finish('unconfirmed'), replyMsMax);
    socket.once('connect', () => socket.write(encodeLine(message)));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      finish(NOBODY_LISTENS.has(error.code) ? 'notRunning' : 'unconfirmed'),
    );
    socket.once('close', () => finish('unconfirmed'));
    readLine(socket, (line) => {
      const ok = decodeAcknowledgement(line);
      finish(ok === null ? 'unconfirmed' : ok ? 'acknowledged' : 'refused');
    });
  });
}
