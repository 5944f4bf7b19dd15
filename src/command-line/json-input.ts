/** A JSON document or a text from a file or from standard input, of bounded size. */
import { createReadStream, statSync } from 'node:fs';
import { CommandError } from './exit-code.ts';

/**
 * `-` reads standard input. Rejects with `CommandError` when it cannot be read, has more than `bytesMax`
 * bytes, or is not UTF-8. `onBytes` follows the reading of a file.
 */
export async function readTextInput(
  path: string,
  bytesMax: number,
  onBytes: (done: number, total: number) => void = () => {},
): Promise<string> {
  const name = nameOf(path);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const total = path === '-' ? 0 : statSync(path).size;
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > bytesMax) break;
      onBytes(length, Math.max(length, total));
    }
  } catch (error) {
    throw new CommandError(`${name} cannot be read: ${(error as Error).message}`);
  }
  if (length > bytesMax) throw new CommandError(`${name} has more than ${bytesMax} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new CommandError(`${name} is not JSON or CSV in UTF-8`);
  }
}

/** As `readTextInput`; rejects also what is not JSON. */
export async function readJsonInput(path: string, bytesMax: number): Promise<unknown> {
  return parseJsonInput(path, await readTextInput(path, bytesMax));
}

export function parseJsonInput(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${nameOf(path)} is not JSON: ${(error as Error).message}`);
  }
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);
