/** Findings over HTTP: each code, its witness, previews, both views, shops of any size. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FINDING_CODE_NAMES, FINDING_CODES, type LintReport } from '../../src/engine/domain/finding.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import type { SimulateAnswer } from '../../src/engine/wire/answer.ts';
import { group, method, rule, SETTINGS, shop, shopWithRules, zone } from '../engine/lint/config-builder.ts';
import { DEFECTIVE_SHOPS } from '../engine/lint/defective-shops.ts';
import { isShown, type TestedShop, testedShop } from '../engine/lint/finding-truth.ts';
import { readText } from '../house/project-files.ts';
import { answered, ServerProcess, temporaryFolder } from '../support/server-process.ts';

let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let client: ServerProcess['client'];
before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(folder.path);
  client = server.client;
});
after(async () => {
  await server.stop();
  await folder.discard();
});

async function preview(config: ShopConfig) {
  const answer = answered(await client.replaceConfig({ action: 'preview', data: { checks: [], ...config } }));
  assert.ok('warnings' in answer);
  return answer;
}

const execute = async (config: ShopConfig): Promise<void> => {
  answered(await client.replaceConfig({ action: 'execute', data: { checks: [], ...config } }));
};

/** The configuration of the shop as read from the server. */
function served(config: ShopConfig, answers: ReadonlyMap<unknown, SimulateAnswer>): TestedShop {
  const here = testedShop(config, SETTINGS);
  return { ...here, simulate: (request, nowMs) => answers.get(request) ?? here.simulate(request, nowMs) };
}

test('the finding in the documentation is a finding of the demo shop', async () => {
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(readText('src/engine/lint/README.md')) ?? [];
  const wanted = JSON.parse(shown) as LintReport['findings'][number];
  const { findings } = answered(await client.lintConfig());
  assert.deepEqual(
    findings.find(({ message }) => message === wanted.message),
    wanted,
  );
  assert.equal(findings.length, 3);
});

test('each finding is reported for a shop with the defect, in a preview and afterwards, and its witness shows it', async () => {
  const { currency, timezone } = SETTINGS;
  const fulfilment = { workingDays: [], holidays: ['2020-01-01'] };
  answered(await client.updateShop({ currency, timezone, fulfilment }));
  let witnesses = 0;
  for (const code of FINDING_CODE_NAMES) {
    const config = DEFECTIVE_SHOPS[code];
    const { warnings, warningsOmitted } = await preview(config);
    await execute(config);
    const report: LintReport = answered(await client.lintConfig());
    assert.deepEqual({ findings: warnings, omitted: warningsOmitted }, report, code);
    const found = report.findings.filter((finding) => finding.code === code);
    assert.ok(found.length > 0, code);
    for (const finding of report.findings) {
      assert.equal(finding.severity, FINDING_CODES[finding.code].severity);
      if (finding.witness === null) continue;
      const { request, at } = finding.witness;
      const answer = answered(await client.simulate(request, { query: { at } }));
      const shown = served(config, new Map([[request, answer]]));
      assert.ok(isShown(finding, shown), JSON.stringify(finding));
      if (finding.code === code) witnesses++;
    }
  }
  // A finding about a record that never matches may have no witness; findings about dates and holidays have none.
  assert.ok(witnesses >= FINDING_CODE_NAMES.length - 6, `${witnesses} witnesses`);
});

test('a configuration that is too large for the event loop gets the same report', async () => {
  const never = DEFECTIVE_SHOPS.rule_never_matches.methods[0]?.rules[0]?.conditions ?? [];
  const rules = Array.from({ length: 300 }, (_, i) => rule(`r${i}`, 'free', ...never));
  const config = shopWithRules(...rules);
  const { warnings, warningsOmitted } = await preview(config);
  await execute(config);
  const reports = await Promise.all([client.lintConfig(), client.lintConfig()]);
  for (const outcome of reports) {
    const { findings, omitted } = answered(outcome);
    assert.deepEqual([findings, omitted], [warnings, warningsOmitted]);
    assert.equal(findings.length, 100);
    assert.deepEqual(omitted, [{ code: 'rule_never_matches', count: 200 }]);
    assert.ok(outcome.ok && outcome.versionId !== null);
  }
});

test('ids that execute will make are null in the warnings', async () => {
  const { methods, ...data } = DEFECTIVE_SHOPS.method_never_visible;
  for (const copies of [1, 100]) {
    const unnamed = Array.from({ length: copies }, () => methods)
      .flat()
      .map(({ id: _, rules, ...method }) => ({
        ...method,
        rules: rules.map(({ id: _id, ...rest }) => rest),
      }));
    const body = { action: 'preview', data: { ...data, methods: unnamed } } as const;
    const answer = answered(await client.replaceConfig(body));
    assert.ok('warnings' in answer);
    const never = answer.warnings.filter(({ code }) => code === 'method_never_visible');
    assert.equal(never.length, copies);
    for (const { record } of never) {
      assert.deepEqual(record, { kind: 'method', id: null, name: 'Method never' });
    }
  }
});

test('while a changeset is active its findings are shown, and those of the live configuration on request', async () => {
  await execute(DEFECTIVE_SHOPS.tier_gap);
  const refused = await client.lintConfig({ query: { view: 'staged' } });
  assert.equal(!refused.ok && refused.code, 'CONFLICT');
  answered(await client.changeStaging({ action: 'enter' }));
  await execute(DEFECTIVE_SHOPS.tier_price_falls);
  const codesOf = async (view?: 'live' | 'staged') => {
    const report = answered(await client.lintConfig(view === undefined ? {} : { query: { view } }));
    return report.findings.map(({ code }) => code);
  };
  assert.deepEqual(await codesOf(), ['tier_price_falls']);
  assert.deepEqual(await codesOf('staged'), ['tier_price_falls']);
  assert.deepEqual(await codesOf('live'), ['tier_gap']);
  answered(await client.changeStaging({ action: 'discard' }));
});

test('no witness has more items than RATEWRIGHT_ITEMS_MAX, in a report and in a preview', async () => {
  const own = await temporaryFolder();
  const strict = await ServerProcess.start(own.path, { RATEWRIGHT_ITEMS_MAX: '1' });
  try {
    // The first finding needs a cart with two groups, so no cart with one item shows it; the other needs one item.
    const productGroups = [group('rest', { isDefault: true }), group('vip', { tags: ['vip'] })];
    const std = { serviceCode: 'std' };
    const data = shop({
      productGroups,
      zones: [zone('us', ['US']), zone('de', ['DE'])],
      methods: [method('a', std), method('b', { ...std, productGroupId: 'vip' })],
    });
    const previewed = answered(await strict.client.replaceConfig({ action: 'preview', data }));
    answered(await strict.client.replaceConfig({ action: 'execute', data }));
    const { findings } = answered(await strict.client.lintConfig());
    assert.ok('warnings' in previewed);
    for (const list of [findings, previewed.warnings]) {
      const finding = list.find(({ code }) => code === 'duplicate_service_code');
      assert.ok(finding !== undefined);
      assert.equal(finding.witness, null);
      assert.ok(list.every(({ witness }) => (witness?.request.items.length ?? 0) <= 1));
      assert.ok(list.some(({ witness }) => witness !== null));
    }
  } finally {
    await strict.stop();
    await own.discard();
  }
});
