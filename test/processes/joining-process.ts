/**
 * A process of a server that answers no requests. Environment variables control it, and it logs to files in a folder:
 * the first process announces a write when all processes listen, the others log that announcement, and each logs the
 * number of restarts.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Handlers } from '../../src/processes/process-message.ts';
import { ownChannel, Siblings } from '../../src/processes/siblings.ts';

const { JOINING_FOLDER: folder = '', JOINING_REFUSES: refusing, JOINING_HANGS: hanging } = process.env;

const siblings = await Siblings.join(ownChannel());
const { index } = siblings.place;
if (String(index) === refusing) process.exit(65);

siblings.answerWith({
  written: ({ sequenceNumber }) => {
    const hung = join(folder, 'hung');
    if (String(index) === hanging && !existsSync(hung)) {
      writeFileSync(hung, '');
      return new Promise(() => {});
    }
    appendFileSync(join(folder, 'heard'), `${index} ${sequenceNumber}\n`);
    return null;
  },
} as Partial<Handlers> as Handlers);
void siblings.orphaned.then(() => process.exit(1));
process.on('SIGTERM', async () => {
  if (siblings.isFirst) await siblings.alone;
  appendFileSync(join(folder, 'stopped'), `${index}\n`);
  process.exit(0);
});
const noting = setInterval(() => {
  if (siblings.restarts === 0) return;
  clearInterval(noting);
  appendFileSync(join(folder, 'restarts'), `${index} ${siblings.restarts}\n`);
}, 5);
await siblings.listening(1_000 + index);
if (siblings.isFirst) {
  await siblings.written('shop_a', 7, false);
  writeFileSync(join(folder, 'seen'), '');
}
