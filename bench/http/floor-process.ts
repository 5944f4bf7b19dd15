/**
 * The floors: what any server on this HTTP library must pay. Floor A reads the body and sends bytes that
 * were ready before; floor B also parses the body. No routes, no keys, no checks.
 */
import { type HttpResponse, loadUws } from '../../src/front/http/uws.ts';
import type { Listening } from './measured-server.ts';

const [mode, answerBytes] = process.argv.slice(2) as [string, string];
const parses = mode === 'parse';
const answer = Buffer.alloc(Number(answerBytes), 0x20);
const headerName = Buffer.from('content-type');
const headerValue = Buffer.from('application/json');

const uws = loadUws();

function reply(response: HttpResponse, body: Buffer): void {
  if (parses) JSON.parse(body.toString('utf8'));
  response.cork(() => {
    response.writeHeader(headerName, headerValue);
    response.end(answer);
  });
}

uws
  .App()
  .post('/*', (response) => {
    let begun: Buffer | null = null;
    response.onAborted(() => {});
    response.onData((chunk, isLast) => {
      const part = Buffer.from(chunk);
      if (isLast) {
        reply(response, begun === null ? part : Buffer.concat([begun, part]));
      } else {
        // The chunk is the library's memory and gone after this call.
        begun = begun === null ? Buffer.from(part) : Buffer.concat([begun, part]);
      }
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    const listening: Listening = { port: uws.us_socket_local_port(socket) };
    process.send?.(listening);
  });

// Killed, because the library crashes at a normal exit; there is nothing to lose here.
process.on('SIGTERM', () => process.kill(process.pid, 'SIGKILL'));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
