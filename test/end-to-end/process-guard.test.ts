/** The guards of the running server, tested from inside: a probe is loaded into it before it starts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

/** Each expression is true when the process allowed the attempt. Texts, because they run in the server. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'indirect eval': `(0, eval)('1 + 1') === 2`,
  'direct eval': `eval('1 + 1') === 2`,
  Function: `Function('return true')()`,
  'new Function': `new Function('return true')()`,
  'the constructor of a function': `(() => {}).constructor('return true')()`,
  'the constructor of an asynchronous function': `typeof (async () => {}).constructor('') === 'function'`,
  'the constructor of a generator': `typeof (function* () {}).constructor('') === 'function'`,
  'the constructor of an asynchronous generator': `typeof (async function* () {}).constructor('') === 'function'`,
  'a construction by reflection': `Reflect.construct(Function, ['return true'])()`,
  'the accessor __proto__': `Object.hasOwn(Object.prototype, '__proto__')`,
  'a property of every object': `(Object.prototype.isAdmin = true, ({}).isAdmin === true)`,
  'a property of every object by a careless merge': `(({})['__proto__'] ?? {}, (({}).constructor.prototype.isAdmin = true), ({}).isAdmin === true)`,
};

const PROBE = `
  const tried = { ${Object.entries(ATTEMPTS)
    .map(([name, code]) => `${JSON.stringify(name)}: () => { 'use strict'; return ${code}; }`)
    .join(', ')} };
  process.on('SIGUSR2', () => {
    const allowed = Object.keys(tried).filter((name) => {
      try { return tried[name](); } catch { return false; }
    });
    const functions = [() => {}, async () => {}].every((one) => one instanceof Function);
    process.stderr.write('PROBE' + JSON.stringify({ allowed, functions }) + '\\n');
  });
`;

const probed = (server: ServerProcess): { allowed: string[]; functions: boolean } | undefined => {
  const [, found] = /PROBE(.*)\n/.exec(server.output.stderr) ?? [];
  return found === undefined ? undefined : JSON.parse(found);
};

test('the running server executes no text as code, and no field can be added to all objects', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const server = await ServerProcess.start(`${folder.path}/db`, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PROBE)}`,
  });
  // The features that use compiled checks must still work: the search for a defect, the OpenAPI document, a write.
  const refused = await server.call('/api/config', {
    body: {
      action: 'execute',
      data: { zones: [{ name: 'Z', countries: ['us'] }], methods: [{ rules: [{}] }] },
    },
  });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /\/data\/zones\/0\/countries\/0 must be/);
  assert.match(refused.text, /\/data\/methods\/0\/rules\/0\/action is required/);
  assert.equal((await server.call('/openapi.json')).status, 200);
  assert.equal((await server.call('/api/groups', { body: { name: 'Guarded' } })).status, 201);

  server.process.kill('SIGUSR2');
  while (probed(server) === undefined) await sleep(5);
  assert.deepEqual(probed(server), { allowed: [], functions: true });

  server.process.kill('SIGUSR1');
  assert.equal((await server.call('/healthz')).status, 200);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.output.stderr, /[Dd]ebugger/);
});
