/** A JSON document or a text from a file or from standard input, of bounded size. */
import { createReadStream } from 'node:fs';
import { CommandError } from './exit-code.ts';

/**
 * `-` reads standard input. Rejects with `CommandError` when it cannot be read, has more than `bytesMax`
 * bytes, or is no text in UTF-8, nor in UTF-16 with a byte order mark.
 */
export async function readTextInput(path: string, bytesMax: number): Promise<string> {
  const name = nameOf(path);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > bytesMax) break;
    }
  } catch (error) {
    throw new CommandError(`${name} cannot be read: ${(error as Error).message}`);
  }
  if (length > bytesMax) throw new CommandError(`${name} has more than ${bytesMax} bytes`);
  return decoded(name, Buffer.concat(chunks));
}

const SAVE_AS = 'save it as JSON or CSV in UTF-8';

/** Files of spreadsheets: zipped, or in the older form. */
const SPREADSHEETS = ['504b0304', 'd0cf11e0'];

function decoded(name: string, bytes: Buffer): string {
  const beginning = bytes.subarray(0, 4).toString('hex');
  if (SPREADSHEETS.includes(beginning)) throw new CommandError(`${name} is a spreadsheet: ${SAVE_AS}`);
  const encoding = beginning.startsWith('fffe')
    ? 'utf-16le'
    : beginning.startsWith('feff')
      ? 'utf-16be'
      : 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${name} is not text in UTF-8: ${SAVE_AS}`);
  }
  if (text.includes('\0')) throw new CommandError(`${name} is UTF-16 without a mark, or no text: ${SAVE_AS}`);
  return text;
}

/** As `readTextInput`; rejects also what is not JSON. */
export async function readJsonInput(path: string, bytesMax: number): Promise<unknown> {
  return parseJsonInput(path, await readTextInput(path, bytesMax));
}

/** `advice` ends the message about a text that is no JSON. */
export function parseJsonInput(path: string, text: string, advice = ''): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${nameOf(path)} is not JSON: ${(error as Error).message}${advice}`);
  }
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);
