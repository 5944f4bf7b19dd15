/** Edits of a large shop: what a small write takes to decide, and how long long work takes. */

import type { Command, Decision } from '../../src/engine/change/command.ts';
import { decide } from '../../src/engine/change/decide.ts';
import { writeImage } from '../../src/engine/change/state-image.ts';
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import type { Outcome } from '../../src/engine/domain/failure.ts';
import type { ShopState } from '../../src/engine/domain/shop-event.ts';
import type { ConfigData } from '../../src/engine/wire/write-bodies.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { HUGE_RULES_EACH, makeHuge } from '../profiles/huge.ts';
import type { Profile } from '../profiles/profile.ts';
import { decideShop, nextContext } from '../profiles/shop-state.ts';
import { type MicroTask, measureTasks } from './micro-bench.ts';

function accepted(outcome: Outcome<Decision>): Decision {
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}

const dataOf = ({ config }: Profile): ConfigData => JSON.parse(JSON.stringify(config));

function makeState(profile: Profile): ShopState {
  const outcome = decideShop(profile.settings, dataOf(profile));
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value;
}

/** One shop that each write leads on to its next state. */
class EditedShop {
  state: ShopState;

  constructor(state: ShopState) {
    this.state = state;
  }

  write(command: Command): Decision {
    const decision = accepted(decide(this.state, command, nextContext()));
    this.state = decision.state;
    return decision;
  }
}

function makeTasks(shop: EditedShop): readonly MicroTask[] {
  const method = shop.state.config.methods[Math.floor(shop.state.config.methods.length / 2)];
  const rule = method?.rules[0];
  if (method === undefined || rule === undefined) throw new Error('the shop has no rule to edit');
  const task = (id: string, label: string, write: (edit: number) => Decision): MicroTask => {
    let edits = 0;
    const run = (count: number) => {
      for (let i = 0; i < count; i++) write(++edits);
      return edits;
    };
    return { id: `micro/edits/${id}`, label, run };
  };
  return [
    task('rule', 'one rule updated', (edit) =>
      shop.write({ kind: 'updateRule', id: rule.id, body: { enabled: edit % 2 === 0 } }),
    ),
    task('method', 'one method created and deleted', () => {
      const { zoneId } = method;
      const body = { name: 'Standard Shipping', zoneId, rateType: 'flat', config: { price: 1 } } as const;
      const { result } = shop.write({ kind: 'createMethod', body });
      if (result.kind !== 'method') throw new Error(`a method gave ${result.kind}`);
      return shop.write({ kind: 'deleteMethod', id: result.method.id });
    }),
    task('group', 'one group created and deleted', () => {
      const { result } = shop.write({ kind: 'createGroup', body: { name: 'Group' } });
      if (result.kind !== 'group') throw new Error(`a group gave ${result.kind}`);
      return shop.write({ kind: 'deleteGroup', id: result.group.id });
    }),
  ];
}

/** Long work, each time from its beginning. */
function longTasks(
  state: ShopState,
  profile: Profile,
): readonly [id: string, label: string, run: () => unknown][] {
  const destination = profile.requests[0]?.destination;
  if (destination === undefined) throw new Error('there is no cart');
  const renamed = { ...dataOf(profile) };
  const data = {
    ...renamed,
    methods: renamed.methods?.map((method) => ({ ...method, subtitle: 'New' })) ?? [],
  };
  return [
    [
      'execute',
      'bulk write of every method',
      () => accepted(decide(state, { kind: 'executeConfig', data }, nextContext())),
    ],
    ['image', 'image of a checkpoint', () => writeImage(state)],
    [
      'compile',
      'the zone of a cart compiled',
      () => compileShop(profile.config, profile.settings).placeOf(destination),
    ],
  ];
}

/** Each of them holds the event loop for as long as it takes. */
function measureLong(part: PartRun, state: ShopState, profile: Profile): void {
  const results = new Rounds();
  for (let round = 1; round <= part.effort.rounds; round++) {
    for (const [id, label, run] of longTasks(state, profile)) {
      part.step(`${label} (round ${round} of ${part.effort.rounds})`);
      const start = performance.now();
      run();
      results.add(`micro/edits/long/${id}`, label, 'ms', performance.now() - start);
    }
  }
  results.recordTo(part);
}

export const editsPart: Part = {
  id: 'micro/edits',
  title: 'Writes into a large shop, and its long work',
  async run(part) {
    const { hugeMethods, hugePatterns } = part.effort;
    part.step('making the shop');
    const profile = makeHuge(part.effort);
    const state = makeState(profile);
    measureTasks(part, makeTasks(new EditedShop(state)));
    measureLong(part, state, profile);
    part.note(
      `The shop has ${hugeMethods.toLocaleString('en-US')} methods of ${HUGE_RULES_EACH} rules and ` +
        `${hugePatterns.toLocaleString('en-US')} postal patterns.`,
    );
  },
};
