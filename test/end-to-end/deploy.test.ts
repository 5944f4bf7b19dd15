/** The files of `data/deploy/` and the Dockerfile work as an operator copies them. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SETTINGS } from '../../src/front/settings.ts';
import { projectRoot, readText } from '../house/project-files.ts';
import { type DockerStage, instructionsOf, runDockerfile } from '../support/dockerfile-run.ts';
import { freePort } from '../support/free-port.ts';
import { installPackage, RunningService } from '../support/installed-package.ts';
import { cleanEnvironment, DEMO_KEY, temporaryFolder } from '../support/server-process.ts';

const PAGE = readText('data/deploy/README.md');

async function newFolder(context: TestContext): Promise<string> {
  const { path, discard } = await temporaryFolder();
  context.after(discard);
  return path;
}

const isInstalled = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args).error === undefined;

test('every block of the page is run by a test or marked as one for root or Docker', () => {
  const kinds = [...PAGE.matchAll(/^```(.+)$/gm)].map(([, kind]) => kind);
  assert.deepEqual([...new Set(kinds)].sort(), ['console', 'sh']);
});

test('the sh blocks of the page run in order on an installation, and the restored shop serves', async (context) => {
  if (!isInstalled('curl', '--version')) return context.skip('there is no curl on this machine');
  const folder = await newFolder(context);
  installPackage(folder);
  const command = ['node_modules/.bin/ratewright', 'serve'];
  const service = await RunningService.start(context, folder, command);
  const data = join(folder, 'db');
  const places = { BACKUPS: join(folder, 'backups'), SECRETS: join(folder, 'secrets') };
  for (const place of Object.values(places)) mkdirSync(place);
  const run = (block: string): string => {
    const { status, stdout, stderr } = spawnSync('sh', ['-eu', '-c', block], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...cleanEnvironment(),
        ...places,
        PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`,
        RATEWRIGHT_DATA: data,
        RATEWRIGHT_URL: service.url,
      },
    });
    assert.equal(status, 0, `${block}${stdout}${stderr}`);
    return stdout;
  };

  const blocks = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const [makeShops, ask, backUp, restore, ...others] = blocks;
  assert.ok(makeShops !== undefined && ask !== undefined && backUp !== undefined && restore !== undefined);
  assert.deepEqual(others, []);
  const [key = ''] = /^rw_\S+$/m.exec(run(makeShops)) ?? [];
  assert.equal(await service.status('/api/shop', key), 200);
  assert.equal(await service.status('/api/shop', DEMO_KEY), 401);
  assert.match(run(ask), /"status":"ready"/);
  run('printf shpss_0123456789abcdef0123456789abcdef | ratewright shop set-shopify-secret --shop shop_main');
  const secretKey = readFileSync(join(data, 'secret.key'));
  run(backUp);
  assert.equal(await service.stop(), 0);
  assert.match(run(restore), /all whole\n[\s\S]*^shop_main /m);
  assert.deepEqual(readFileSync(join(data, 'secret.key')), secretKey);
  const restored = await RunningService.start(context, folder, command);
  assert.equal(await restored.status('/api/shop', key), 200);
  assert.equal(await restored.stop(), 0);
});

test('every setting in the deployment files exists', () => {
  const known = new Set(Object.values(SETTINGS).map(({ variable }) => variable));
  const texts = ['README.md', 'ratewright.service', 'nginx.conf'].map((name) =>
    readText(`data/deploy/${name}`),
  );
  const named = [...texts, readText('Dockerfile')].join('\n').match(/RATEWRIGHT_[A-Z_]+/g) ?? [];
  assert.ok(named.length > 0);
  // The port that the commands of the page use.
  assert.deepEqual(
    [...new Set(named)].filter((name) => !known.has(name)),
    ['RATEWRIGHT_URL'],
  );
});

test('systemd starts the service again however often it fails', () => {
  const [restart, interval, burst] = ['RestartSec', 'StartLimitIntervalSec', 'StartLimitBurst'].map((name) =>
    Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(readText('data/deploy/ratewright.service'))?.[1]),
  ) as [number, number, number];
  assert.ok(restart * burst > interval, `${burst} starts ${restart} s apart within ${interval} s`);
});

test('systemd accepts the unit, and it starts the installed program', async (context) => {
  const unit = readText('data/deploy/ratewright.service');
  const folder = await newFolder(context);
  const [, program = ''] = /^ExecStart=\/opt\/ratewright\/(\S+) serve$/m.exec(unit) ?? [];
  installPackage(folder);
  assert.ok(existsSync(join(folder, program)), program);
  if (!isInstalled('systemd-analyze', '--version'))
    return context.skip('there is no systemd on this machine');
  const path = join(folder, 'ratewright.service');
  writeFileSync(path, unit.replaceAll('/opt/ratewright', folder));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  // Warnings about other units of the machine are ignored.
  const complaints = (stdout + stderr).split('\n').filter((line) => line.includes('ratewright.service'));
  assert.deepEqual([status, complaints], [0, []], stdout + stderr);
});

test('the proxies close idle connections before the service does', () => {
  /** The library gives ten seconds and looks every four. */
  const kept = { 'nginx.conf': /^ +keepalive_timeout (\d+)s;$/m, Caddyfile: /^\t+keepalive (\d+)s$/m };
  for (const [name, pattern] of Object.entries(kept)) {
    const [, seconds] = pattern.exec(readText(`data/deploy/${name}`)) ?? [];
    assert.ok(Number(seconds) < 8, name);
  }
});

function statusThrough(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false };
    const asked = request({ ...options, headers: { authorization: `Bearer ${DEMO_KEY}` } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('error', reject).end();
  });
}

/** Starts an nginx in this folder with the example as its only server; resolves with its port when it listens. */
async function startNginx(
  context: TestContext,
  folder: string,
  example: string,
  upstream: string,
): Promise<number> {
  const port = await freePort();
  const pem = join(folder, 'rates.pem');
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=rates.example.com'],
    ...['-keyout', pem, '-out', `${pem}.crt`],
  ]);
  assert.equal(made.status, 0, String(made.stderr));
  const text = example
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('server 127.0.0.1:8080', `server ${new URL(upstream).host}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${pem}.crt;`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${pem};`);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ');
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/pid; events {} http { access_log off; ${temporary}\n${text}}`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', config, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  nginx.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk;
  });
  context.after(async () => {
    const ended = once(nginx, 'exit');
    if (nginx.exitCode !== null) return;
    nginx.kill('SIGTERM');
    await ended;
  });
  for (;;) {
    assert.equal(nginx.exitCode, null, complaints);
    const status = await statusThrough(port, '/healthz').catch(() => null);
    if (status !== null) return port;
    await wait(10);
  }
}

test('nginx with the example answers over TLS, and without HTTP/1.1 to the service it gets 505', async (context) => {
  if (!isInstalled('nginx', '-v')) return context.skip('there is no nginx on this machine');
  if (!isInstalled('openssl', 'version')) return context.skip('there is no openssl on this machine');
  const folder = await newFolder(context);
  installPackage(folder);
  const service = await RunningService.start(context, folder, ['node_modules/.bin/ratewright', 'serve']);
  const example = readText('data/deploy/nginx.conf');
  const ask = async (name: string, text: string): Promise<number | undefined> => {
    mkdirSync(join(folder, name));
    return statusThrough(await startNginx(context, join(folder, name), text, service.url), '/api/shop');
  };
  assert.equal(await ask('as-it-is', example), 200);
  assert.equal(await ask('without', example.replaceAll('proxy_http_version 1.1;', '')), 505);
  assert.equal(await service.stop(), 0);
});

/** `npm ci` copies the modules of the project; folders outside of the stage are not made. */
function standIn(command: string, stage: DockerStage): (() => void) | undefined {
  if (command.startsWith('npm ci ')) {
    const modules = join(stage.root, stage.workdir, 'node_modules');
    return () => cpSync(join(projectRoot, 'node_modules'), modules, { recursive: true, dereference: true });
  }
  return /^(?:ln -s|install -d) /.test(command) ? () => {} : undefined;
}

test('the steps of the Dockerfile make an image that serves and is healthy while it serves', async (context) => {
  const folder = await newFolder(context);
  const stage = runDockerfile(readText('Dockerfile'), { contextFolder: projectRoot, folder, standIn });
  const app = join(stage.root, stage.workdir);
  assert.equal(existsSync(join(app, 'node_modules/typescript')), false);
  const carried = readdirSync(app, { recursive: true, encoding: 'utf8' });
  const needless =
    /^(?:src|test|data\/(?!carts(?:\/|$)|demo-shop\.json$|plans\.json$))|^dist\/program\/.*\.map$/;
  assert.deepEqual(
    carried.filter((path) => needless.test(path)),
    [],
  );
  assert.deepEqual(stage.commands.get('ENTRYPOINT'), ['ratewright']);
  assert.deepEqual(stage.commands.get('CMD'), ['serve']);
  const [, link = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/ratewright/.exec(readText('Dockerfile')) ?? [];
  const environment = {
    ...stage.environment,
    RATEWRIGHT_DATA: join(folder, 'db'),
    RATEWRIGHT_PORT: String(await freePort()),
  };
  const service = await RunningService.start(context, app, [join(app, link), 'serve'], environment);
  const [program = '', ...args] = stage.commands.get('HEALTHCHECK') ?? [];
  const health = () => spawnSync(program, args, { env: { ...process.env, ...environment } }).status;
  assert.equal(health(), 0);
  assert.equal(await service.stop(), 0);
  assert.equal(health(), 1);
});

test('the image is built from the files that the Dockerfile names, never from a data folder', () => {
  const copied = instructionsOf(readText('Dockerfile'))
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  const lines = readText('.dockerignore').split('\n');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  assert.deepEqual([...new Set(copied)].sort(), allowed.sort());
  assert.deepEqual(
    allowed.filter((path) => 'data/db/'.startsWith(`${path}/`)),
    [],
  );
  const users = instructionsOf(readText('Dockerfile')).filter(({ name }) => name === 'USER');
  assert.deepEqual(
    users.map(({ rest }) => rest),
    ['node'],
  );
});
