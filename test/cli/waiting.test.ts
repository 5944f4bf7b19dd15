/** A command whose service says when to try again waits, and says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DISK_FULL } from '../../src/engine/domain/failure.ts';
import { ScriptedServer } from '../front/client/scripted-server.ts';
import { callCommand } from './run-command.ts';

const { code, message } = DISK_FULL;
const refused = (retryAfter: string) => ({
  status: 503,
  headers: { 'retry-after': retryAfter },
  body: { error: { code, message } },
});
const CALL = ['key', 'list', '--operator-key', 'x'.repeat(32), '--shop', 'shop_a'];

test('a command that waits for longer than a second says why, and for how long', async (context) => {
  const server = await ScriptedServer.start(context, [
    refused('0'),
    refused('2'),
    { status: 200, body: { keys: [] } },
  ]);
  const ended = await callCommand('nowhere', [...CALL, '--url', server.url]);
  assert.equal(ended.code, 0, ended.stderr);
  assert.equal(ended.stderr, 'ratewright: the disk is full: nothing was stored; trying again in 2 s\n');
  assert.equal(server.received.length, 3);
});
