/** Compilation: a whole shop with the first answer of a zone, and what one edited rule costs. */
import { type CompiledShop, compileShop } from '../../src/engine/compile/compiled-shop.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import { evaluate } from '../../src/engine/evaluate/evaluate.ts';
import type { Part } from '../part.ts';
import { makeHuge } from '../profiles/huge.ts';
import { makeLarge } from '../profiles/large.ts';
import { makePostal } from '../profiles/postal.ts';
import { NOW_MS, type Profile } from '../profiles/profile.ts';
import { HOME_ZONE_ID } from '../profiles/six-methods.ts';
import { makeSmall } from '../profiles/small.ts';
import { makeTypical } from '../profiles/typical.ts';
import { type MicroTask, measureTasks } from './micro-bench.ts';

function answerFirst(shop: CompiledShop, { requests }: Profile): number {
  const outcome = evaluate(shop, requests[0] as Profile['requests'][number], NOW_MS);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value.length;
}

/** The configuration after an edit of one rule of the last method that has rules; all else is shared. */
function withEditedRule(config: ShopConfig, edit: number): ShopConfig {
  const at = config.methods.findLastIndex(({ rules, zoneId }) => rules.length > 0 && zoneId === HOME_ZONE_ID);
  const method = config.methods[at];
  const [rule, ...others] = method?.rules ?? [];
  const [condition, ...rest] = rule?.conditions ?? [];
  if (method === undefined || rule === undefined || condition === undefined) {
    throw new Error('no rule to edit');
  }
  const edited = {
    ...rule,
    conditions: [
      { ...condition, conditionType: 'cart_total', operator: 'less_than', value: String(edit) } as const,
      ...rest,
    ],
  };
  return { ...config, methods: config.methods.with(at, { ...method, rules: [edited, ...others] }) };
}

function makeTasks(profile: Profile): readonly MicroTask[] {
  const { name, config, settings } = profile;
  let current = compileShop(config, settings);
  answerFirst(current, profile);
  let edits = 0;
  return [
    {
      id: `micro/compile/full/${name}`,
      label: `${name}: whole shop, first answer`,
      run(count) {
        let length = 0;
        for (let i = 0; i < count; i++) length += answerFirst(compileShop(config, settings), profile);
        return length;
      },
    },
    {
      id: `micro/compile/change/${name}`,
      label: `${name}: one rule edited, next answer`,
      run(count) {
        let length = 0;
        for (let i = 0; i < count; i++) {
          const edited = withEditedRule(current.config, ++edits);
          current = compileShop(edited, settings, current);
          length += answerFirst(current, profile);
        }
        return length;
      },
    },
  ];
}

export const compilePart: Part = {
  id: 'micro/compile',
  title: 'Compilation of a configuration, up to its first answer',
  async run(part) {
    const { hugeMethods, postalPatterns } = part.effort;
    const patterns = postalPatterns.at(-1) ?? 0;
    const postal = makePostal(patterns);
    const huge = makeHuge(part.effort);
    measureTasks(part, [makeSmall(), makeTypical(), makeLarge(), postal, huge].flatMap(makeTasks));
    part.note(
      `postal has ${patterns.toLocaleString('en-US')} patterns; huge also ${hugeMethods.toLocaleString('en-US')} ` +
        'methods of five rules in other zones.',
    );
    part.note('An edit makes one new rule in an otherwise shared configuration, as a write does.');
  },
};
