/** The check of a simulate request, by three validators on the same bodies. */
import type { Part } from '../part.ts';
import { bodiesOf } from '../profiles/profile.ts';
import { makeTypical } from '../profiles/typical.ts';
import { measureTasks } from './micro-bench.ts';
import { makeRequestChecks } from './request-checks.ts';

export const validatorPart: Part = {
  id: 'micro/validator',
  title: 'Check of a simulate request with three items, 500 in turn',
  async run(part) {
    const requests = bodiesOf(makeTypical()).map((body) => JSON.parse(body) as unknown);
    measureTasks(
      part,
      [...makeRequestChecks()].map(([name, check]) => ({
        id: `micro/validator/${name.replaceAll(' ', '-')}`,
        label: name,
        run(count: number) {
          let passed = 0;
          for (let i = 0; i < count; i++) if (check(requests[i % requests.length])) passed++;
          return passed;
        },
      })),
    );
  },
};
