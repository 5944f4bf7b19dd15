// Makes the pages of the API from the OpenAPI document: one for each tag with its operations, one with the schemas.
const SCHEMAS = '/api/schemas.md';

const code = (text) => `\`${text}\``;
const slug = (tag) => tag.toLowerCase().replaceAll(' ', '-');
const cell = (text) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
const json = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

function table(head, rows) {
  if (rows.length === 0) return '';
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

const schemaName = ($ref) => $ref.split('/').at(-1);
const schemaLink = ($ref) => `[${schemaName($ref)}](${SCHEMAS}#${schemaName($ref).toLowerCase()})`;

const TYPE_WORDS = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

function typeText(schema = {}) {
  const { $ref, type, anyOf, oneOf, items, description } = schema;
  if ($ref !== undefined) return schemaLink($ref);
  if ('const' in schema) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) {
    // The description of a word lists what is accepted.
    return description === undefined ? schema.enum.map((value) => code(value)).join(', ') : 'text';
  }
  const either = anyOf ?? oneOf;
  if (either !== undefined) return [...new Set(either.map(typeText))].join(' or ');
  if (type === 'array') return `list of ${typeText(items)}`;
  return (
    [type ?? []]
      .flat()
      .map((name) => TYPE_WORDS[name])
      .join(' or ') || 'any'
  );
}

const meaningOf = ({ description, anyOf = [], items }) =>
  description ?? anyOf.map((each) => each.description).find(Boolean) ?? items?.description ?? '';

/** A row for each field; those of an object without a name stand below it, as `destination.country`. */
function fieldRows({ properties = {}, required = [] }, path = '') {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const at = `${path}${name}`;
    const isList = schema.type === 'array';
    const row = [code(at), typeText(schema), required.includes(name) ? 'yes' : '', meaningOf(schema)];
    return [row, ...fieldRows(isList ? schema.items : schema, `${at}${isList ? '[]' : ''}.`)];
  });
}

const fieldTable = (schema) => table(['field', 'type', 'required', 'what'], fieldRows(schema));

/** What a schema is: its name, a choice, or its fields. */
const shapeText = (schema) => (schema.properties ? fieldTable(schema) : `${typeText(schema)}\n`);

export function apiPages(document) {
  const { components } = document;
  const resolved = (part) =>
    part.$ref === undefined ? part : components[part.$ref.split('/').at(-2)][schemaName(part.$ref)];

  const parameterTable = (operations) => {
    const all = operations.flatMap(({ operation }) => operation.parameters.map(resolved));
    const byName = new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
    const rows = [...byName.values()].map(({ name, in: place, description, schema }) => {
      const accepted = schema.description === undefined ? '' : `. ${schema.description}`;
      return [code(name), place, typeText(schema), `${description}${accepted}`];
    });
    return table(['parameter', 'in', 'type', 'what'], rows);
  };

  const bodyText = ({ requestBody }) => {
    if (requestBody === undefined) return '';
    const { schema, examples } = Object.values(requestBody.content)[0];
    const shown = Object.entries(examples).map(([name, { value }]) => `Example: ${name}\n\n${json(value)}`);
    const shape = shapeText(resolved(schema).properties ? resolved(schema) : schema);
    const name = schema.$ref === undefined ? '' : ` (${schemaLink(schema.$ref)})`;
    const need = requestBody.required ? 'Body' : 'Body, which may be absent';
    return `**${need}**${name}\n\n${shape}\n${shown.join('\n')}`;
  };

  const answerText = (status, { description, headers = {}, content = {} }) => {
    const [[type, { schema, example }] = ['', {}]] = Object.entries(content);
    const names = Object.keys(headers).map(code).join(', ');
    const shape =
      schema === undefined ? '' : `${typeText(schema)}${type.includes('json') ? '' : ` (${type})`}. `;
    const shown = typeof example === 'string' ? `\`\`\`txt\n${example}\n\`\`\`\n` : json(example);
    return (
      `**Answer ${status}** ${description}\n\n${shape}Headers: ${names}\n\n` +
      (example === undefined ? '' : shown)
    );
  };

  const operationText = (operations) => {
    const [{ operation }] = operations;
    const heading = operations.map(({ verb, path }) => code(`${verb.toUpperCase()} ${path}`)).join(', ');
    const answers = Object.entries(operation.responses).map(([status, answer]) => [status, resolved(answer)]);
    const failures = answers.filter(([, { content }]) => Object.values(content ?? {})[0]?.example?.error);
    const rows = failures.map(([status, { description, content }]) => {
      const { error } = Object.values(content)[0].example;
      return [status, code(error.code), description, error.message];
    });
    return [
      `## ${heading} {#${operation.operationId}}`,
      `${operation.summary}. ${operation.description}`,
      parameterTable(operations),
      bodyText(operation),
      ...answers
        .filter((answer) => !failures.includes(answer))
        .map(([status, answer]) => answerText(status, answer)),
      rows.length === 0
        ? ''
        : `**Errors**\n\n${table(['status', 'code', 'when', 'message, for example'], rows)}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  };

  /** Routes by tag; the paths of one route, as with and without an id, stand together. */
  const routesOf = (tag) => {
    const routes = new Map();
    for (const [path, verbs] of Object.entries(document.paths)) {
      for (const [verb, operation] of Object.entries(verbs)) {
        if (operation.tags[0] !== tag) continue;
        const route = operation.operationId.replace(/(?:ById|Alias)$/, '');
        routes.set(route, [...(routes.get(route) ?? []), { verb, path, operation }]);
      }
    }
    return [...routes.values()];
  };

  const tags = document.tags.map(({ name, description }) => {
    const routes = routesOf(name);
    const text = `# API: ${name}\n\n${description}.\n\n${routes.map(operationText).join('\n\n')}\n`;
    return { name, description, routes, page: `api/${slug(name)}.md`, text };
  });

  const schemaTexts = Object.entries(components.schemas).map(
    ([name, schema]) => `## ${name}\n\n${[schema.description ?? '', shapeText(schema)].join('\n\n')}`,
  );
  const answers = tags.flatMap(({ routes }) =>
    routes.flatMap(([{ operation }]) => Object.values(operation.responses).map(resolved)),
  );
  const headers = new Map(
    answers.flatMap((answer) =>
      Object.entries(answer.headers ?? {}).map(([name, header]) => [name, resolved(header).description]),
    ),
  );
  const rows = tags.flatMap(({ page, routes }) =>
    routes.map(([{ verb, path, operation }]) => [
      `[${code(`${verb.toUpperCase()} ${path}`)}](/${page}#${operation.operationId})`,
      operation.summary,
    ]),
  );
  const overview = [
    `# The API, ${document.info.version}`,
    `${document.info.summary}. ${document.info.description}`,
    'Made from `/openapi.json`, which a running service answers; its `/docs` sends requests too.',
    table(['operation', 'what'], rows),
    '## Headers of answers',
    table(
      ['header', 'what'],
      [...headers].map(([name, what]) => [code(name), what]),
    ),
  ];

  const pages = new Map([
    ['api/index.md', `${overview.join('\n\n')}\n`],
    ...tags.map(({ page, text }) => [page, text]),
    [SCHEMAS.slice(1), `# API: schemas\n\n${schemaTexts.join('\n\n')}\n`],
  ]);
  const items = [
    { text: 'All operations', link: '/api/index.md' },
    ...tags.map(({ name, page }) => ({ text: name, link: `/${page}` })),
    { text: 'Schemas', link: SCHEMAS },
  ];
  return { pages, group: { text: 'API', items, collapsed: true } };
}
