/**
 * Types that a generator makes from `/openapi.json`: the examples in the document and the answers of a server have these
 * types, under the strictest compiler options.
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ITEMS_MAX_DEFAULT } from '../../../../src/engine/domain/cart.ts';
import { RATE_TYPE_NAMES } from '../../../../src/engine/domain/rate-type.ts';
import { EXAMPLE_CART } from '../../../../src/front/http/openapi/examples.ts';
import { isDocumented } from '../../../../src/front/http/openapi/openapi.ts';
import { CONTENT_TYPES } from '../../../../src/front/http/output.ts';
import { bodyOf, type Route, SHOP_SEGMENT } from '../../../../src/front/http/route.ts';
import { createRouteTable } from '../../../../src/front/http/route-table.ts';
import { projectRoot } from '../../../house/project-files.ts';
import { RATE_EXAMPLES } from '../../../support/arbitrary/rates.ts';
import { type IdKind, isKeyed, requestsOf } from '../../../support/route-requests.ts';
import { type Call, ServerProcess, temporaryFolder } from '../../../support/server-process.ts';
import { compileStrictly } from '../../../support/strict-compiler.ts';

const OPERATED_SHOP = 'shop_spare';

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Media>> }>>;
  };
}

const generator = join(
  dirname(createRequire(import.meta.url).resolve('openapi-typescript/package.json')),
  'bin/cli.js',
);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let document: Document;
let types: string;
/** The output of one run of the compiler for all programs, because starting it takes longer than compiling. */
let misfits: string;

before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(join(folder.path, 'db'));
  const text = (await server.call('/openapi.json')).text;
  document = JSON.parse(text) as Document;
  writeFileSync(join(folder.path, 'openapi.json'), text);
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
  const library = pathToFileURL(join(projectRoot, '.ci/typescript-5.mjs')).href;
  // Not in this thread: the server closes a connection that rests for 8 s.
  await promisify(execFile)(
    process.execPath,
    ['--import', library, generator, 'openapi.json', '-o', 'api.ts'],
    { cwd: folder.path },
  );
  types = readFileSync(join(folder.path, 'api.ts'), 'utf8');
  const programs = {
    ...{ examples: documentedExamples(), answers: await answersOfRoutes(), methods: METHODS },
    ...{ parameters: PARAMETERS, wrong: WRONG },
  };
  for (const [name, values] of Object.entries(programs)) writeProgram(name, values);
  misfits = compileStrictly(folder.path);
});
after(async () => {
  await server?.stop('SIGKILL');
  await folder?.discard();
});

type Typed = readonly [type: string, value: unknown];

/** Writes a program that declares each value with its type. */
function writeProgram(name: string, values: readonly Typed[]): void {
  const lines = values.map(([type, value], i) => `export const v${i}: ${type} = ${JSON.stringify(value)};`);
  const text = `import type { components, operations } from './api.js';\n${lines.join('\n')}\n`;
  writeFileSync(join(folder.path, `${name}.ts`), text);
}

/** The errors in the program of this name; further lines of an error are indented. */
const misfitsIn = (name: string): string =>
  misfits
    .split(/^(?=\S)/m)
    .filter((finding) => finding.startsWith(`${name}.ts(`))
    .join('');

const operationsOf = (): readonly Operation[] =>
  Object.values(document.paths).flatMap((operations) => Object.values(operations));

const contentType = (operation: string, part: string, media: string): string =>
  `NonNullable<operations['${operation}']${part}>['content']['${media}']`;

function documentedExamples(): readonly Typed[] {
  const values: Typed[] = [];
  for (const { operationId, requestBody, responses } of operationsOf()) {
    for (const [media, { examples = {} }] of Object.entries(requestBody?.content ?? {})) {
      const type = contentType(operationId, "['requestBody']", media);
      for (const { value } of Object.values(examples)) values.push([type, value]);
    }
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const type = (media: string) => contentType(operationId, `['responses'][${status}]`, media);
      for (const [media, { example }] of Object.entries(content)) values.push([type(media), example]);
    }
  }
  for (const [code, { content }] of Object.entries(document.components.responses)) {
    for (const [media, { example }] of Object.entries(content)) {
      values.push([`components['responses']['${code}']['content']['${media}']`, example]);
    }
  }
  assert.ok(values.length > 100, `${values.length} examples`);
  return values;
}

/** One record of each kind, found in the lists; zones, groups and keys are new ones that no other record uses. */
async function sampleIds(): Promise<Readonly<Record<IdKind, string>>> {
  const { zones } = await snapshot();
  const unused = { id: 'zone_unused', name: 'Unused', countries: ['AQ'], subzones: [] };
  const data = { zones: [...zones, unused] };
  assert.equal((await server.call('/api/config', { body: { action: 'execute', data } })).status, 200);
  const group = await server.call('/api/groups', { body: { name: 'Unused' } });
  const key = await server.call('/api/keys', { body: { label: 'Unused', permission: 'read' } });
  const { methods, blendedRates, checks, versionId } = await snapshot();
  const audit = await server.call('/api/audit?limit=1');
  const first = (records: readonly WithId[] | undefined): string => records?.[0]?.id ?? 'none';
  return {
    zone: unused.id,
    sub: first(zones.find(({ subzones }) => subzones.length > 0)?.subzones),
    group: (group.body as { readonly group: WithId }).group.id,
    method: first(methods),
    rule: first(methods.find(({ rules }) => rules.length > 0)?.rules),
    blended: first(blendedRates),
    check: first(checks),
    version: versionId,
    key: (key.body as { readonly key: WithId }).key.id,
    audit: first((audit.body as { readonly entries: readonly WithId[] }).entries),
  };
}

interface WithId {
  readonly id: string;
}
interface Snapshot {
  readonly versionId: string;
  readonly zones: readonly (WithId & { readonly subzones: readonly WithId[] })[];
  readonly methods: readonly (WithId & { readonly rules: readonly WithId[] })[];
  readonly blendedRates: readonly WithId[];
  readonly checks: readonly WithId[];
}
const snapshot = async () => (await server.call('/api/config')).body as Snapshot;

/** The requests of a route that no key of a shop opens. What operators do to a shop they do to one with this id. */
const requestsWithoutKey = (route: Route): readonly { readonly path: string; readonly body?: unknown }[] => {
  const path = route.paths[0].replace(SHOP_SEGMENT, OPERATED_SHOP);
  const examples = Object.values(bodyOf(route)?.examples ?? {});
  if (route.name === 'createShop') examples.push({ id: OPERATED_SHOP, name: 'Spare' });
  return examples.length === 0 ? [{ path }] : examples.map((body) => ({ path, body }));
};

async function answersOfRoutes(): Promise<readonly Typed[]> {
  const ids = await sampleIds();
  const { versionId: _, ...data } = await snapshot();
  const values: Typed[] = [];
  const ask = async (route: string, media: string, path: string, call: Call): Promise<boolean> => {
    const { status, text, body } = await server.call(path, call);
    if (status >= 300) return false;
    // The bytes of a copy of the log are no text.
    const value = media === CONTENT_TYPES.json ? body : media === CONTENT_TYPES.bytes ? '' : text;
    values.push([contentType(route, `['responses'][${status}]`, media), value]);
    return true;
  };
  for (const route of createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }).filter(isDocumented)) {
    // Callbacks need a signature.
    if (route.kind === 'callback') continue;
    const media = CONTENT_TYPES['type' in route ? route.type : 'json'];
    const requests = isKeyed(route) ? requestsOf(route, (kind) => ids[kind]) : requestsWithoutKey(route);
    let count = 0;
    for (const { path, ...request } of requests) {
      const { body, needsChangeset } = request as {
        readonly body?: unknown;
        readonly needsChangeset?: boolean;
      };
      if (needsChangeset) await server.call('/api/staging', { body: { action: 'enter' } });
      const isAnswered = await ask(route.name, media, path, {
        method: route.verb,
        ...(body === undefined ? {} : { body }),
      });
      if (isAnswered) count++;
      if (isAnswered && route.verb !== 'GET') {
        await server.call('/api/config', { body: { action: 'execute', data } });
      }
    }
    assert.ok(count > 0, `${route.name} is answered`);
  }
  const explained = { body: EXAMPLE_CART };
  assert.ok(await ask('simulate', CONTENT_TYPES.json, '/api/simulate?explain=full', explained));
  return values;
}

const METHODS = RATE_TYPE_NAMES.flatMap((rateType): Typed[] => [
  [
    "components['schemas']['MethodCreate']",
    { name: 'A', zoneId: 'z', rateType, config: RATE_EXAMPLES[rateType] },
  ],
  ["components['schemas']['MethodUpdate']", { config: RATE_EXAMPLES[rateType] }],
  [
    "components['schemas']['ConfigData']",
    { methods: [{ name: 'A', zoneId: 'z', rateType, config: RATE_EXAMPLES[rateType] }] },
  ],
]);
const WRONG: readonly Typed[] = [
  [
    "components['schemas']['MethodCreate']",
    { name: 'A', zoneId: 'z', rateType: 'flat', config: { cost: 5 } },
  ],
];
const PARAMETERS: readonly Typed[] = [
  ["NonNullable<operations['listVersions']['parameters']['query']>", { limit: 5, includeBatched: true }],
];

test('the generated types compile, and the compiler reports exactly the value that does not fit', () => {
  assert.equal(misfits, misfitsIn('wrong'));
});

test('every documented example has the generated type', () => {
  assert.equal(misfitsIn('examples'), '');
});

test('every answer of a server has the generated type of its route', () => {
  assert.equal(misfitsIn('answers'), '');
});

test('a method of every rate type can be created and changed with the generated types, a wrong config cannot', () => {
  assert.equal(misfitsIn('methods'), '');
  assert.match(misfitsIn('wrong'), /not assignable/);
});

test('numbers and booleans keep their types in the generated types of parameters', () => {
  assert.equal(misfitsIn('parameters'), '');
});

test('no generated type is an empty object, except the config of free shipping', () => {
  const empty = types.split('\n').filter((line) => line.includes('Record<string, never>'));
  assert.deepEqual(
    empty.filter((line) => line.startsWith(' ')).map((line) => line.trim()),
    ['FreeConfig: Record<string, never>;'],
  );
});
