// Writes src/front/client/api-types.ts: the calls of the client and their types, made from the rows of the routes and their
// schemas, so that a program that uses the client needs no schema library. The build runs it before it compiles, so it
// reads the sources and no compiled file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

/** The exports of the modules below src that are needed here, and of the library of the schemas. */
async function readSources() {
  const outfile = join(root, `dist/client-types-${process.pid}.mjs`);
  const imported = [
    'engine/domain/cart',
    'engine/domain/rate-type',
    'front/http/openapi/openapi-schema',
    'front/http/route',
    'front/http/route-table',
  ];
  const contents = imported.map((path) => `export * from './src/${path}.ts';`).join('\n');
  const resolveTypebox = ({ path }) => ({ path: require.resolve(path.slice(1)) });
  await build({
    stdin: { contents: `${contents}\nexport { default as Type } from '#typebox';`, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: Object.keys(require('../package.json').dependencies),
    plugins: [
      { name: 'typebox', setup: (chosen) => void chosen.onResolve({ filter: /^#typebox/ }, resolveTypebox) },
    ],
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}

const {
  bodyOf,
  createRouteTable,
  ID_SEGMENT,
  isForOperators,
  ITEMS_MAX_DEFAULT,
  RATE_TYPES,
  SchemaComponents,
  SHOP_SEGMENT,
  Type,
} = await readSources();

const HEADER = `/**
 * Written by the build from the routes and their schemas; not to be edited. \`CALLS\` has a row for each route, \`Calls\` its
 * body, its parameters and its answer, \`OPERATOR_CALLS\` and \`OperatorCalls\` the same for routes of operators; the other schemas are the components of \`/openapi.json\`.
 */
`;

/** A part of a type that must be absent; JSON Schema says it as "not anything". */
const ABSENT = { not: {} };

/** Pages for a browser, and what a shop system calls with a signature, are no calls of the client. */
const isCall = ({ kind, isFile }) => kind !== 'callback' && isFile !== true;

/** A DELETE names its record by the path. */
const sentBodyOf = (route) => (route.verb === 'DELETE' ? undefined : bodyOf(route));

/** The row of `CALLS`: how the client sends the call and reads its answer. */
const callRow = (route) => ({
  verb: route.verb,
  path: (route.paths.find((path) => path.endsWith(ID_SEGMENT)) ?? route.paths[0]).replace(
    SHOP_SEGMENT,
    ID_SEGMENT,
  ),
  isWrite: route.isWrite === true,
  hasBody: sentBodyOf(route) !== undefined,
  isSimulation: route.counts === 'simulations',
  isLong: route.isLong === true,
  isText: route.type !== undefined && route.type !== 'json',
  otherStatuses: Object.keys(route.otherStatuses ?? {}).map(Number),
});

function callSchema(route) {
  const body = sentBodyOf(route);
  const query = Object.entries(route.query).filter(([name]) => name !== 'id');
  return Type.Object(
    {
      ...(route.paths.some((path) => path.endsWith(ID_SEGMENT)) ? { id: Type.String() } : {}),
      ...(route.paths[0].includes(SHOP_SEGMENT) ? { id: Type.String() } : {}),
      ...(body === undefined ? {} : { body: body.schema }),
      ...(query.length === 0
        ? {}
        : {
            query: Type.Object(
              Object.fromEntries(
                query.map(([name, { published, description }]) => [
                  name,
                  Type.Optional({ ...published, description }),
                ]),
              ),
            ),
          }),
      answer:
        route.readAnswer === undefined
          ? route.success.schema
          : Type.Union([route.success.schema, route.readAnswer.schema]),
    },
    { description: route.summary },
  );
}

/** A method's schema with the config of each rate type beside its name; without a rate type the config is any. */
function withPairedConfig(schema) {
  const { rateType, config, ...properties } = schema.properties ?? {};
  if (rateType === undefined || config === undefined) return schema;
  const all = schema.required ?? [];
  const required = all.filter((name) => name !== 'rateType' && name !== 'config');
  const isGiven = all.includes('rateType');
  const isAlways = all.includes('config');
  const pairs = Object.entries(RATE_TYPES).map(([name, { title, properties: fields }]) => ({
    type: 'object',
    properties: { rateType: { const: name }, config: { $ref: `#/components/schemas/${title}` } },
    required: isAlways || (isGiven && Object.keys(fields).length > 0) ? ['rateType', 'config'] : ['rateType'],
  }));
  const unnamed = { type: 'object', properties: { rateType: ABSENT, config } };
  return { type: 'object', properties, required, oneOf: isGiven ? pairs : [...pairs, unnamed] };
}

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }).filter(isCall);
const schemas = new SchemaComponents();
const groups = [
  { table: 'CALLS', title: 'Calls', rows: routes.filter((route) => !isForOperators(route)) },
  { table: 'OPERATOR_CALLS', title: 'OperatorCalls', rows: routes.filter(isForOperators) },
];
for (const { title, rows } of groups) {
  const calls = rows.map((route) => [route.name, callSchema(route)]);
  schemas.add(Type.Object(Object.fromEntries(calls), { title }));
}
const paired = Object.entries(schemas.all()).map(([name, schema]) => [name, withPairedConfig(schema)]);
const rowText = (route) => `    ${route.name}: ${JSON.stringify(callRow(route))},\n`;
const tables = groups
  .map(({ table, rows }) => `export const ${table} = {\n${rows.map(rowText).join('')}} as const;\n`)
  .join('');
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Calls', version: '1' },
  paths: {},
  components: { schemas: Object.fromEntries(paired) },
});

async function writtenTypes() {
  await import('./typescript-5.mjs');
  const { default: openapiTS, astToString, NEVER } = await import('openapi-typescript');
  const transform = (schema) => ('not' in schema ? NEVER : undefined);
  const nodes = await openapiTS(JSON.parse(document), { transform });
  const components = nodes.filter((node) => node.name?.text === 'components');
  return `${HEADER}${tables}${astToString(components)}`;
}

const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const file = join(root, 'src/front/client/api-types.ts');
const hashFile = join(root, 'dist/client-types.sha256');
/** Hash of the file and of all that it is made from: the routes, this script and the installed packages. */
function hashWith(types) {
  const maker = [fileURLToPath(import.meta.url), join(root, 'node_modules/.package-lock.json')].map(textOf);
  const parts = JSON.stringify([tables, document, ...maker, types]);
  return createHash('sha256').update(parts).digest('hex');
}
const before = textOf(file);
// With the hash of the last build the file is up to date: openapi-typescript takes two seconds to load and run.
if (hashWith(before) !== textOf(hashFile)) {
  const types = await writtenTypes();
  // Its time is that of its last change: `build-when-stale.mjs` compares the times of sources.
  if (types !== before) writeFileSync(file, types);
  writeFileSync(hashFile, hashWith(types));
}
