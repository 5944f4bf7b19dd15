/** A JSON document from a file or from standard input, of bounded size. */
import { createReadStream } from 'node:fs';
import { CommandError } from './exit-code.ts';

/**
 * `-` reads standard input. Rejects with `CommandError` when it cannot be read, has more than `bytesMax`
 * bytes, or is not JSON in UTF-8.
 */
export async function readJsonInput(path: string, bytesMax: number): Promise<unknown> {
  const name = path === '-' ? 'standard input' : path;
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
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (error) {
    throw new CommandError(`${name} is not JSON: ${(error as Error).message}`);
  }
}
