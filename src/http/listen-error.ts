/** An address that cannot be listened on, and why. The server library does not say, so the system is asked once more. */
import { createServer } from 'node:net';

export type ListenObstacle = 'inUse' | 'notPermitted' | 'noSuchAddress' | 'unknown';

/** Codes of the system and of its resolver. */
const OBSTACLES: Readonly<Record<string, ListenObstacle>> = {
  EADDRINUSE: 'inUse',
  EACCES: 'notPermitted',
  EPERM: 'notPermitted',
  EADDRNOTAVAIL: 'noSuchAddress',
  EAFNOSUPPORT: 'noSuchAddress',
  EINVAL: 'noSuchAddress',
  ENOTFOUND: 'noSuchAddress',
  EAI_AGAIN: 'noSuchAddress',
};

const MESSAGES: Readonly<Record<ListenObstacle, (place: string, host: string) => string>> = {
  inUse: (place) => `cannot listen on ${place}: another process uses this port`,
  notPermitted: (place) => `cannot listen on ${place}: this user may not use this port`,
  noSuchAddress: (place, host) => `cannot listen on ${place}: this machine has no address ${host}`,
  unknown: (place) => `cannot listen on ${place}: the system does not say why`,
};

/** The message is one line for a person. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly obstacle: ListenObstacle;

  constructor(host: string, port: number, obstacle: ListenObstacle) {
    super(MESSAGES[obstacle](`${host.includes(':') ? `[${host}]` : host}:${port}`, host));
    this.obstacle = obstacle;
  }
}

/** `unknown` also when nothing is in the way any more. */
export function findObstacle(host: string, port: number): Promise<ListenObstacle> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(OBSTACLES[code ?? ''] ?? 'unknown'));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve('unknown')));
  });
}
