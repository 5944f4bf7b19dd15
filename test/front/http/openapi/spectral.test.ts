/** The OpenAPI document passes the rules of Spectral, a linter of such documents (contract section 12.4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { openApiDocument } from '../../../../src/front/http/openapi/openapi.ts';
import { createRouteTable } from '../../../../src/front/http/route-table.ts';

type Document = Record<string, unknown>;

const document = JSON.parse(
  JSON.stringify(openApiDocument(createRouteTable({ itemsMax: 1_000 }))),
) as Document;

/** Rules beyond the default ones that the document keeps too. */
const FURTHER_RULES = { 'tag-description': 'warn', 'oas3-parameter-description': 'warn' } as const;

async function findingsIn(checked: Document): Promise<readonly string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition], rules: FURTHER_RULES });
  const findings = await linter.run(checked);
  return findings.map(({ code, path, message }) => `${code} at /${path.join('/')}: ${message}`);
}

test('no rule of Spectral finds anything in the document', async () => {
  assert.deepEqual(await findingsIn(document), []);
});

test('its rules do find what is wrong', async () => {
  // Without its paths, which take long to check.
  const { info: _info, paths: _paths, components: _components, ...others } = document;
  const operation = { operationId: 'read', tags: ['Absent'], responses: { 200: { description: 'Read.' } } };
  const paths = { '/api/records': { get: operation } };
  const wrong = {
    ...others,
    paths,
    info: { title: 'No contact', version: '1' },
    tags: [{ name: 'Undescribed' }],
  };
  const found = await findingsIn(wrong);
  for (const code of ['info-contact', 'tag-description', 'operation-tag-defined']) {
    assert.ok(
      found.some((finding) => finding.startsWith(code)),
      code,
    );
  }
});
