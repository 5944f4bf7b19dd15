/**
 * The command's side of the control socket. Notifies the server of the same data folder, if one runs, that a shop
 * changed, and waits until the server's readers see the change. Also asks whether a shop may be deleted.
 */
import { createConnection } from 'node:net';
import { decodeAcknowledgement, encodeLine, readLine, type ShopMessage } from './control-message.ts';
import { controlPath, isControlFolderSafe, isListening, NOBODY_LISTENS } from './control-path.ts';

const ACKNOWLEDGE_MS = 5_000;

/** `notRunning`: there is no server. `unconfirmed`: there may be a server, but it did not acknowledge the change. */
type Notified = 'acknowledged' | 'notRunning' | 'unconfirmed';

/** Call after the change is on disk. Never rejects. */
export async function notifyServer(
  dataFolder: string,
  shopId: string,
  timeoutMs = ACKNOWLEDGE_MS,
): Promise<Notified> {
  const told = await send(dataFolder, { kind: 'changed', shopId }, timeoutMs);
  return told === 'refused' ? 'unconfirmed' : told;
}

/** `refused`: the server has pending writes of this shop. Never rejects. */
export const askToDelete = (
  dataFolder: string,
  shopId: string,
  timeoutMs = ACKNOWLEDGE_MS,
): Promise<Notified | 'refused'> => send(dataFolder, { kind: 'mayDelete', shopId }, timeoutMs);

/** True unless it is certain that no server of this data folder runs. */
export async function isServed(dataFolder: string): Promise<boolean> {
  return !isControlFolderSafe(dataFolder) || isListening(controlPath(dataFolder)).catch(() => true);
}

function send(dataFolder: string, message: ShopMessage, timeoutMs: number): Promise<Notified | 'refused'> {
  return new Promise((resolve) => {
    if (!isControlFolderSafe(dataFolder)) {
      resolve('unconfirmed');
      return;
    }
    const socket = createConnection(controlPath(dataFolder));
    const finish = (told: Notified | 'refused'): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(told);
    };
    const timer = setTimeout(() => finish('unconfirmed'), timeoutMs);
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
