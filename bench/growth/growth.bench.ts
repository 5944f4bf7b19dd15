/**
 * Growth: what an answer costs when the shop around it grows. Only rules of the zone the cart goes to should
 * cost anything; methods elsewhere, postal patterns and other shops should not.
 */
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import { measureTasks } from '../micro/micro-bench.ts';
import type { Part } from '../part.ts';
import { makePostal } from '../profiles/postal.ts';
import { withOtherMethods } from '../profiles/shop-maker.ts';
import { makeTypical } from '../profiles/typical.ts';
import { answerTask, profileTask } from './answer-task.ts';

const named = (count: number, what: string): string => `${count.toLocaleString('en-US')} ${what}`;

export const otherMethodsPart: Part = {
  id: 'growth/other-methods',
  title: 'An answer of typical, with methods in other zones',
  async run(part) {
    const typical = makeTypical();
    const tasks = part.effort.otherMethods.map((count) => {
      part.step(named(count, 'methods'));
      const config = withOtherMethods(typical.config, count);
      return profileTask('other-methods', count, named(count, 'methods elsewhere'), { ...typical, config });
    });
    measureTasks(part, tasks);
  },
};

export const rulesPart: Part = {
  id: 'growth/rules',
  title: 'An answer of six methods, by rules of each method',
  async run(part) {
    const tasks = part.effort.rulesPerMethod.map((count) =>
      profileTask('rules', count, named(count, 'rules per method'), makeTypical(count)),
    );
    measureTasks(part, tasks);
    part.note('Every rule is in the answer with its trace: this series grows with the bytes that are sent.');
  },
};

export const patternsPart: Part = {
  id: 'growth/patterns',
  title: 'An answer of postal, by patterns of the zone',
  async run(part) {
    const tasks = part.effort.postalPatterns.map((count) => {
      part.step(named(count, 'patterns'));
      return profileTask('patterns', count, named(count, 'patterns'), makePostal(count));
    });
    measureTasks(part, tasks);
  },
};

export const shopsPart: Part = {
  id: 'growth/shops',
  title: 'An answer of typical, carts of many shops in turn',
  async run(part) {
    const { config, settings, requests } = makeTypical();
    const tasks = part.effort.shopsInMemory.map((count) => {
      part.step(named(count, 'shops'));
      // Each shop is made anew from text, so that none shares a record with another.
      const text = JSON.stringify(config);
      const shops = Array.from({ length: count }, () =>
        compileShop(JSON.parse(text) as typeof config, settings),
      );
      return answerTask('shops', count, named(count, 'shops in turn'), shops, requests);
    });
    measureTasks(part, tasks);
    part.note(
      'With many shops each answer starts with that shop out of the processor caches: the worst order.',
    );
  },
};
