/** Messages between a command and the server of the same data folder: one JSON line each way. */
import type { Socket } from 'node:net';

/** Maximum bytes of a line without its end; a longer line closes the connection. */
export const LINE_BYTES_MAX = 1_024;

/**
 * `changed`: a command changed or deleted this shop on disk; acknowledged when every reader of the server sees it.
 * `mayDelete`: a command is about to delete this shop; acknowledged when no write of the shop is pending.
 */
export interface ShopMessage {
  readonly kind: 'changed' | 'mayDelete';
  readonly shopId: string;
}

/** `ok` acknowledges a message. */
export const encodeLine = (message: ShopMessage | { readonly ok: boolean }): string =>
  `${JSON.stringify(message)}\n`;

export function decodeShopMessage(line: string): ShopMessage | null {
  const { kind, shopId } = decodeObject(line) ?? {};
  if (typeof shopId !== 'string') return null;
  return kind === 'changed' || kind === 'mayDelete' ? { kind, shopId } : null;
}

export function decodeAcknowledgement(line: string): boolean | null {
  const ok = decodeObject(line)?.['ok'];
  return typeof ok === 'boolean' ? ok : null;
}

function decodeObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Calls `onLine` once, with the first line; a line above `LINE_BYTES_MAX` closes the connection. */
export function readLine(socket: Socket, onLine: (line: string) => void): void {
  let text = '';
  const onData = (chunk: string): void => {
    text += chunk;
    const end = text.indexOf('\n');
    if (end < 0 && text.length <= LINE_BYTES_MAX) return;
    socket.off('data', onData);
    if (end < 0 || end > LINE_BYTES_MAX) socket.destroy();
    else onLine(text.slice(0, end));
  };
  socket.setEncoding('utf8');
  socket.on('data', onData);
}
