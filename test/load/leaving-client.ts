/** A client that disconnects during its request, at a random moment. */
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { SeededRandom } from '../../bench/profiles/seeded-random.ts';

export interface Asked {
  /** One request, or several consecutive ones. */
  readonly bytes: Buffer;
  /** The client disconnects within this many milliseconds after it has sent its bytes. */
  readonly staysMs: number;
  /** True when it may disconnect before everything is sent. */
  readonly isCut: boolean;
}

export interface Left {
  /** Status of the first answer; 0 when none had begun. */
  readonly status: number;
  /** True when the whole request was passed to the system. */
  readonly isSent: boolean;
}

const WAYS = ['reset', 'destroy', 'end'] as const;
/** Share of clients that wait for the first bytes of the answer and then disconnect. */
const WAITING_SHARE = 0.2;
/** Longer than any answer takes, even on a busy machine. */
const ANSWER_MS_MAX = 120_000;

/** Connects, sends, waits for a time, disconnects; resolves when the socket is closed. */
export async function askAndLeave(port: number, asked: Asked, random: SeededRandom): Promise<Left> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  socket.on('data', (chunk: Buffer) => {
    if (answer.length < 20) answer += chunk.toString('latin1', 0, 20);
    begin();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const isCut = asked.isCut && random.chance(0.3);
  const sent = isCut ? asked.bytes.subarray(0, random.between(1, asked.bytes.length - 1)) : asked.bytes;
  if (random.chance(0.3)) {
    const at = random.between(0, sent.length);
    socket.write(sent.subarray(0, at));
    await wait(random.between(0, 3));
    socket.write(sent.subarray(at));
  } else socket.write(sent);
  // Most disconnect before the answer; some stop reading first.
  if (!isCut && random.chance(WAITING_SHARE)) {
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('no answer')));
    await Promise.race([begun, closed]);
  } else {
    if (random.chance(0.2)) socket.pause();
    await wait(Math.floor(asked.staysMs * (random.between(0, 100) / 100) ** 2));
  }
  const way = WAYS[random.between(0, WAYS.length - 1)];
  if (way === 'reset') socket.resetAndDestroy();
  else if (way === 'destroy') socket.destroy();
  else {
    socket.end();
    socket.resume();
    await Promise.race([closed, wait(5)]);
    socket.destroy();
  }
  await closed;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0), isSent: !isCut };
}
