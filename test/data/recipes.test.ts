/**
 * The recipes of `data/recipes/`: each page has a configuration that lint finds nothing in, and carts with the exact
 * rates that both evaluators give. A page is the only place of its configuration, so the blocks are read from it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import { joinedText } from '../../src/base/bytes/answer-text.ts';
import { type CompiledShop, compileShop } from '../../src/engine/compile/compiled-shop.ts';
import { ITEMS_MAX_DEFAULT, SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import { evaluate, evaluateToParts } from '../../src/engine/evaluate/evaluate.ts';
import { lintReport } from '../../src/engine/lint/lint-config.ts';
import type { SimulateAnswer } from '../../src/engine/wire/answer.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';
import { unreadPaths } from '../../src/engine/wire/unknown-field.ts';
import { ConfigData, ShopUpdate } from '../../src/engine/wire/write-bodies.ts';
import { TrialShop } from '../engine/change/trial-shop.ts';
import { DOCUMENT_NAME, filesBelow, projectRoot, readText } from '../house/project-files.ts';
import { assertSameAnswer } from '../support/same-answer.ts';

const FOLDER = 'data/recipes';
const names = filesBelow(FOLDER, '.md')
  .map((path) => posix.basename(path, '.md'))
  .filter((name) => `${name}.md` !== DOCUMENT_NAME);

const SECTIONS = [
  'The problem',
  'The configuration',
  'Carts and their answers',
  'In the console',
  'Pitfalls',
] as const;

/** For carts whose page names no time. */
const ANY_TIME = '2026-12-01T10:00:00Z';

interface Block {
  readonly text: string;
  /** The prose between it and the block before. */
  readonly before: string;
}

const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/([\s\S]*?)^```json\n([\s\S]*?)^```$/gm)].map(([, before = '', text = '']) => ({
    text,
    before,
  }));

const checkForm = {
  settings: compileSchema(ShopUpdate),
  config: compileSchema(ConfigData),
  cart: compileSchema(SimulateRequest),
};

interface Answered {
  readonly request: SimulateRequest;
  readonly nowMs: number;
  readonly rates: readonly unknown[];
}

/** What the blocks of a page say, in their order: settings if any, the configuration, pairs of a cart and its rates. */
function readRecipe(name: string): { readonly shop: CompiledShop; readonly carts: readonly Answered[] } {
  const blocks = blocksOf(readText(`${FOLDER}/${name}.md`));
  const trial = new TrialShop('pro');
  const carts: Answered[] = [];
  let asked: Omit<Answered, 'rates'> | null = null;
  for (const { text, before } of blocks) {
    const value = JSON.parse(text) as object;
    if ('rates' in value) {
      assert.ok(asked !== null && before.trim() === '', 'an answer stands right after its cart');
      carts.push({ ...asked, rates: value.rates as readonly unknown[] });
      asked = null;
      continue;
    }
    assert.equal(asked, null, 'a cart without its answer');
    if ('destination' in value) {
      assert.deepEqual(checkForm.cart.defects(value, 5), []);
      assert.deepEqual(unreadPaths(value as SimulateRequest), []);
      const [, at = ANY_TIME] = /`at=([^`]+)`/.exec(before) ?? [];
      asked = { request: value as SimulateRequest, nowMs: Date.parse(at) };
    } else if ('methods' in value) {
      assert.deepEqual(checkForm.config.defects(value, 5), []);
      trial.execute(value as ConfigData);
    } else {
      assert.deepEqual(checkForm.settings.defects(value, 5), []);
      trial.accept({ kind: 'updateShop', body: value as ShopUpdate });
    }
  }
  assert.equal(asked, null, 'the last cart has no answer');
  return { shop: compileShop(trial.config as unknown as ShopConfig, trial.state.settings), carts };
}

function answerOf(shop: CompiledShop, { request, nowMs }: Answered): SimulateAnswer {
  const outcome = evaluate(shop, request, nowMs);
  assert.ok(outcome.ok);
  return JSON.parse(outcome.value) as SimulateAnswer;
}

/** Every text in the sources of the console that a reader may see. */
const consoleText = ['.ts', '.tsx']
  .flatMap((ending) => filesBelow('src/front/console', ending))
  .map(readText)
  .join('\n');

/** A label stands as it is, or is made of the name of its field, or of the kind of record that is new. */
function isInConsole(label: string): boolean {
  const [, noun] = /^New (.+)$/.exec(label) ?? [];
  const field = `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  const shown = noun === undefined ? [label, `'${field}'`] : [label, `noun: '${noun}'`];
  return shown.some((text) => consoleText.includes(text));
}

for (const name of names) {
  describe(`the recipe ${name}`, () => {
    const { shop, carts } = readRecipe(name);

    it('answers each cart as the page says, by both evaluators', () => {
      assert.ok(carts.length >= 5, `${carts.length} carts`);
      for (const { request, nowMs, rates } of carts) {
        const parts = evaluateToParts(shop, request, nowMs, 'rates');
        assert.ok(parts.ok);
        assert.deepEqual(JSON.parse(joinedText(parts.value)), { rates }, JSON.stringify(request));
        assertSameAnswer(shop, { request, nowMs });
      }
    });

    it('shows each method, blended rate and subzone, and each rule as it matches and as it does not', () => {
      const { methods, blendedRates, zones } = shop.config;
      const answers = carts.map((cart) => answerOf(shop, cart));
      const evaluated = answers.flatMap(({ methodEvaluations }) => methodEvaluations);
      const traces = evaluated.flatMap(({ ruleTraces }) => ruleTraces);
      const shown = new Set<string | undefined>([
        ...evaluated.filter(({ visible }) => visible).map(({ methodId }) => methodId),
        ...answers.flatMap((answer) =>
          answer.blendedRates.filter(({ visible }) => visible).map(({ blendedRateId }) => blendedRateId),
        ),
        ...answers.map(({ zone }) => zone?.subzone?.id),
        ...traces.filter(({ matched }) => matched).map(({ ruleId }) => ruleId),
      ]);
      const spared = new Set(traces.filter(({ matched }) => !matched).map(({ ruleId }) => ruleId));
      const rules = methods.flatMap((method) => method.rules);
      const records = [...methods, ...blendedRates, ...rules, ...zones.flatMap(({ subzones }) => subzones)];
      const conditional = rules.filter(({ conditions }) => conditions.length > 0);
      assert.deepEqual(
        [...records.filter(({ id }) => !shown.has(id)), ...conditional.filter(({ id }) => !spared.has(id))],
        [],
      );
    });

    it('gives lint nothing to say', () => {
      const settings = { ...shop.settings, itemsMax: ITEMS_MAX_DEFAULT, today: ANY_TIME.slice(0, 10) };
      assert.deepEqual(lintReport(shop.config, settings).findings, []);
    });

    it('has the sections of every recipe, and names buttons and fields as the console does', () => {
      const page = readText(`${FOLDER}/${name}.md`);
      const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
      assert.deepEqual(
        headings.filter((heading) => heading !== 'The settings'),
        SECTIONS,
      );
      const [, section = ''] = /^## In the console$([\s\S]*?)^## /m.exec(page) ?? [];
      const labels = [...section.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label);
      assert.ok(labels.length > 2);
      assert.deepEqual(
        labels.map((label) => label.replace(/\s+/g, ' ')).filter((label) => !isInConsole(label)),
        [],
      );
    });
  });
}

describe('the page about the recipes', () => {
  const page = readText(`${FOLDER}/${DOCUMENT_NAME}`);

  it('lists each of them', () => {
    const listed = [...page.matchAll(/^\| \[[^\]]+\]\(([\w-]+)\.md\)/gm)].map(([, name = '']) => name);
    assert.deepEqual(listed.sort(), names);
    assert.ok(names.length >= 7);
  });

  it('has a command that prints a block of one', () => {
    const [command = ''] = /^block\(\) .*$/m.exec(page) ?? [];
    const blocks = names.flatMap((name) =>
      blocksOf(readText(`${FOLDER}/${name}.md`)).map(({ text }, at) => ({
        call: `block ${name} ${at + 1}`,
        text,
      })),
    );
    const shell = [command, ...blocks.map(({ call }) => call)].join('\n');
    const { stdout } = spawnSync('sh', ['-c', shell], { cwd: projectRoot, encoding: 'utf8' });
    assert.equal(stdout, blocks.map(({ text }) => text).join(''));
  });
});
