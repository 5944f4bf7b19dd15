/** `check run`, `check list`, `check add`: carts with an expected answer (contract section 10.1). */

import { basename } from 'node:path';
import { systemClock } from '../../base/runtime/clock.ts';
import type { CheckResults } from '../../engine/wire/check-results.ts';
import type { CheckView } from '../../engine/wire/record-view.ts';
import { withoutUndefined } from '../client/caller.ts';
import { readCart, readSource, readTime, viewOption } from './cart-input.ts';
import { checkLines, ratesText } from './check-text.ts';
import { type Command, columns, JSON_OPTION, printResult } from './command.ts';
import { CommandError } from './exit-code.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';

export const checkRun: Command = {
  options: {
    ...SHOP_OPTIONS,
    ids: { value: 'IDS', description: 'Ids of checks, separated by commas (default: all that are enabled)' },
    view: viewOption('live'),
    version: { value: 'VERSION', description: "Run today's checks against this version, by id or number" },
    json: JSON_OPTION,
  },
  notes: () => 'The exit code is 1 when a check fails, so that a pipeline can stop on it.\n',
  async run(input) {
    const source = readSource(input);
    const ids = input.option('ids')?.split(',');
    await withShop(input, async (client) => {
      const body = { action: 'run' as const, ...source, ...withoutUndefined({ ids }) };
      const results = answered(await client.createOrRunChecks(body)) as CheckResults;
      printResult(input, results, (paint) => checkLines(results, paint));
      const { failed } = results;
      if (failed > 0) throw new CommandError(`${failed} of ${results.results.length} checks failed`);
    });
  },
};

export const checkList: Command = {
  options: { ...SHOP_OPTIONS, json: JSON_OPTION },
  async run(input) {
    await withShop(input, async (client) => {
      const { checks } = answered(await client.listChecks());
      const rows = checks.map(({ id, request, expectations, enabled, at, name }) => [
        id,
        request.destination.country,
        expectations.map(({ kind }) => kind).join(', '),
        at ?? 'any',
        enabled ? 'yes' : 'no',
        name,
      ]);
      const head = ['ID', 'TO', 'EXPECTS', 'AT', 'ENABLED', 'NAME'];
      printResult(input, { checks }, () => columns([head, ...rows]));
    });
  },
};

export const checkAdd: Command = {
  options: {
    'from-cart': {
      value: 'FILE',
      description: 'A simulate request as JSON; - reads standard input; required',
    },
    name: { value: 'TEXT', description: 'Name of the check (default: the name of the file)' },
    at: {
      value: 'TIME',
      description: 'ISO time at which the cart is answered, now and in each run (default: now)',
    },
    'any-time': { description: 'Store no time: each run answers the cart as of its own time' },
    ...SHOP_OPTIONS,
    json: JSON_OPTION,
  },
  notes: () =>
    'The rates that the cart gets now, or in the active changeset if there is one, are what the check expects.\n',
  async run(input) {
    const path = input.requiredOption('from-cart');
    const at = readTime(input) ?? new Date(systemClock.nowMs()).toISOString();
    const request = await readCart(input, path);
    const name = input.option('name') ?? basename(path).replace(/\.json$/, '');
    await withShop(input, async (client) => {
      const { staging } = answered(await client.getStaging());
      const view = staging === null ? 'live' : 'staged';
      const query = { fields: 'rates', view, at } as const;
      const { rates: offered } = answered(
        await client.simulate(request, { query, simulationSource: 'test' }),
      );
      const rates = offered.map(({ serviceCode, totalPrice }) => ({ serviceCode, totalPrice }));
      const expectations = [{ kind: 'rates' as const, rates }];
      const body = { name, request, at: input.hasSwitch('any-time') ? null : at, expectations };
      const { check } = answered(await client.createOrRunChecks(body)) as { readonly check: CheckView };
      printResult(
        input,
        { check },
        () => `${check.id}: ${check.name}, expects ${ratesText(rates, 'no rate')}`,
      );
    });
  },
};
