/** The files of `data/deploy/` and the Dockerfile work as an operator copies them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/front/settings.ts';
import { projectRoot, readText } from '../house/project-files.ts';
import { type DockerStage, instructionsOf, runDockerfile } from '../support/dockerfile-run.ts';
import { freePort } from '../support/free-port.ts';
import { installPackage, RunningService } from '../support/installed-package.ts';
import { cleanEnvironment, DEMO_KEY, temporaryFolder } from '../support/server-process.ts';
import { compileStrictly } from '../support/strict-compiler.ts';

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
  assert.deepEqual([...new Set(kinds)].sort(), ['console', 'js', 'sh']);
});

/** In the place of the exporter of the page: writes the spans into this file. */
const fileExporter = (file: string): string => `
  import { appendFileSync } from 'node:fs';
  export class OTLPTraceExporter {
    export(spans, done) {
      for (const { name, resource, parentSpanContext } of spans) {
        const line = { name, service: resource.attributes['service.name'], parent: parentSpanContext?.spanId };
        appendFileSync(${JSON.stringify(file)}, \`\${JSON.stringify(line)}\\n\`);
      }
      done({ code: 0 });
    }
    async shutdown() {}
  }
`;

/** Installs the provider of the page; returns the environment that loads it, and the file of its spans. */
function installProvider(folder: string): { environment: Record<string, string>; spans: string } {
  for (const name of ['resources', 'sdk-trace-base']) {
    const place = join('node_modules/@opentelemetry', name);
    symlinkSync(join(projectRoot, place), join(folder, place));
  }
  const exporter = join(folder, 'node_modules/@opentelemetry/exporter-trace-otlp-http');
  mkdirSync(exporter);
  const spans = join(folder, 'spans.jsonl');
  writeFileSync(join(exporter, 'package.json'), '{"main": "index.mjs"}');
  writeFileSync(join(exporter, 'index.mjs'), fileExporter(spans));
  const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
  writeFileSync(join(folder, 'otel.mjs'), program);
  const [, option = ''] = /`NODE_OPTIONS=(\S+)`/.exec(PAGE) ?? [];
  return { environment: { NODE_OPTIONS: option.replace('/opt/ratewright', folder) }, spans };
}

test('the sh and js blocks of the page run in order on an installation, and the restored shop serves', async (context) => {
  if (!isInstalled('curl', '--version')) return context.skip('there is no curl on this machine');
  const folder = await newFolder(context);
  installPackage(folder);
  const command = ['node_modules/.bin/ratewright', 'serve'];
  const { environment, spans } = installProvider(folder);
  const service = await RunningService.start(context, folder, command, environment);
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
        SERVICE: service.url,
      },
    });
    assert.equal(status, 0, `${block}${stdout}${stderr}`);
    return stdout;
  };

  const blocks = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const [makeShops = '', ask = '', askAsOperator = '', backUp = '', restore, ...others] = blocks;
  assert.ok(restore !== undefined);
  assert.deepEqual(others, []);
  const [key = ''] = /^rw_\S+$/m.exec(run(makeShops)) ?? [];
  assert.equal(await service.status('/api/keys/current', key), 200);
  assert.equal(await service.status('/api/keys/current', DEMO_KEY), 401);
  assert.match(run(ask), /"status":"ready"/);
  assert.match(run(askAsOperator), /"phase":"ready"/);
  run('printf shpss_0123456789abcdef0123456789abcdef | ratewright shop set-shopify-secret --shop shop_main');
  const secretKey = readFileSync(join(data, 'secret.key'));
  run(backUp);
  const cart = { destination: { country: 'DE' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
  const answer = await fetch(`${service.url}/api/simulate/batch`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ requests: [cart] }),
  });
  assert.equal(answer.status, 200);
  assert.equal(await service.stop(), 0);
  assert.match(service.output.text, /"event":"service.started"/);
  assert.doesNotMatch(service.output.text, /engine.flags_missing/);
  const made = readFileSync(spans, 'utf8').trim().split('\n');
  const ofService = made.map(
    (line) => JSON.parse(line) as { name: string; service: string; parent?: string },
  );
  assert.ok(ofService.every((span) => span.service === 'ratewright'));
  const named = (name: string) => ofService.filter((span) => span.name === name);
  // The last spans are those of requests right before the stop.
  assert.deepEqual(
    named('POST /api/simulate/batch').map(({ parent }) => parent),
    [undefined],
  );
  assert.deepEqual([named('pool task').length, typeof named('pool task')[0]?.parent], [1, 'string']);
  assert.match(run(restore), /all whole\n[\s\S]*^shop_main /m);
  assert.deepEqual(readFileSync(join(data, 'secret.key')), secretKey);
  const restored = await RunningService.start(context, folder, command);
  assert.equal(await restored.status('/api/keys/current', key), 200);
  assert.equal(await restored.stop(), 0);
});

test('every setting in the deployment files exists', () => {
  const known = new Set(Object.values(SETTINGS).map(({ variable }) => variable));
  const texts = ['README.md', 'ratewright.service'].map((name) => readText(`data/deploy/${name}`));
  const named = [...texts, readText('Dockerfile')].join('\n').match(/RATEWRIGHT_[A-Z_]+/g) ?? [];
  assert.ok(named.length > 0);
  // For commands, not for the service.
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
  const { services } = parse(readText('data/deploy/compose.yaml'));
  const [key] = Object.keys(services.ratewright.environment);
  assert.equal(key, SETTINGS.secretKey.variable);
  const environment = {
    ...stage.environment,
    // What compose.yaml adds.
    RATEWRIGHT_SECRET_KEY: 'k'.repeat(64),
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

/** The modules of `kubernetes-types` that have the kinds. */
const KINDS = {
  Deployment: 'apps/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'core/v1',
} as const;

test('kubernetes.yaml has no field that its kinds do not know', async (context) => {
  const folder = await newFolder(context);
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const text = readText('data/deploy/kubernetes.yaml');
  const compile = (given: string): string => {
    const constants = parseAllDocuments(given).map((document) => {
      const record = document.toJS();
      const type = `import('kubernetes-types/${KINDS[record.kind as keyof typeof KINDS]}.js').${record.kind}`;
      return `export const ${record.kind}: ${type} = ${JSON.stringify(record)};\n`;
    });
    writeFileSync(join(folder, 'records.ts'), constants.join(''));
    return compileStrictly(folder);
  };
  assert.equal(compile(text), '');
  assert.match(compile(text.replace('readinessProbe', 'readinesProbe')), /'"readinesProbe"' does not exist/);
});
