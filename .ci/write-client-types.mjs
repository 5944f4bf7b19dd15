// Writes src/client/api-types.ts: the types of the client, made from the schemas of the routes, so that a program that
// uses the client needs no schema library. An argument names another file to write.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Type from '#typebox';
import './typescript-5.mjs';
import { RATE_TYPES } from '../dist/src/domain/rate-type.js';
import { SchemaComponents } from '../dist/src/http/openapi/openapi-schema.js';
import { bodyOf, ID_SEGMENT } from '../dist/src/http/route.js';
import { createRouteTable } from '../dist/src/http/route-table.js';

const { default: openapiTS, astToString, NEVER } = await import('openapi-typescript');

const HEADER = `/**
 * Written by \`npm run client:types\` from the schemas of the routes; not to be edited. \`Calls\` has the body, the
 * parameters and the answer of each route by its name; the other schemas are the components of \`/openapi.json\`.
 */
`;

/** A part of a type that must be absent; JSON Schema says it as "not anything". */
const ABSENT = { not: {} };

/** Pages for a browser, and what a shop system calls with a signature, are no calls of the client. */
const isCall = ({ kind, paths }) => kind !== 'callback' && !/^\/(?:docs|console)\b/.test(paths[0]);

function callSchema(route) {
  const body = route.verb === 'DELETE' ? undefined : bodyOf(route);
  const query = Object.entries(route.query).filter(([name]) => name !== 'id');
  return Type.Object(
    {
      ...(route.paths.some((path) => path.endsWith(ID_SEGMENT)) ? { id: Type.String() } : {}),
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

const routes = createRouteTable({ itemsMax: 1_000 }).filter(isCall);
const schemas = new SchemaComponents();
schemas.add(
  Type.Object(Object.fromEntries(routes.map((route) => [route.name, callSchema(route)])), { title: 'Calls' }),
);
const paired = Object.entries(schemas.all()).map(([name, schema]) => [name, withPairedConfig(schema)]);
const document = {
  openapi: '3.1.0',
  info: { title: 'Calls', version: '1' },
  paths: {},
  components: { schemas: Object.fromEntries(paired) },
};
const nodes = await openapiTS(document, { transform: (schema) => ('not' in schema ? NEVER : undefined) });
const components = nodes.filter((node) => node.name?.text === 'components');
const file = process.argv[2] ?? fileURLToPath(new URL('../src/client/api-types.ts', import.meta.url));
writeFileSync(file, HEADER + astToString(components));
