/** `check run`, `check list`, `check add`: carts with an expected answer (contract section 10.1). */

import { basename } from 'node:path';
import { joinedText } from '../../base/bytes/answer-text.ts';
import { systemClock } from '../../base/runtime/clock.ts';
import { writtenConfig } from '../../engine/change/decide.ts';
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import type { OfferedRate } from '../../engine/domain/expectation.ts';
import type { RatesAnswer } from '../../engine/wire/answer.ts';
import type { CheckResults } from '../../engine/wire/check-results.ts';
import { type CheckView, checkView } from '../../engine/wire/record-view.ts';
import { compileSchema } from '../../engine/wire/schema-check.ts';
import { type CheckCreate, checkCreateSchema } from '../../engine/wire/write-bodies.ts';
import { readSource, readTime, sourceIn } from './cart-input.ts';
import { checkLines, ratesText } from './check-text.ts';
import { ANSWER_OPTION, type Command, columns, JSON_OPTION, printResult } from './command.ts';
import { CommandError } from './exit-code.ts';
import { readJsonInput } from './json-input.ts';
import { answered, onShop, SHOP_OPTIONS } from './service-client.ts';

export const checkRun: Command = {
  options: {
    ...SHOP_OPTIONS,
    ids: { value: 'IDS', description: 'Ids of checks, separated by commas (default: all that are enabled)' },
    view: { value: 'VIEW', description: 'live or staged, which is the changeset (default: live)' },
    version: { value: 'VERSION', description: "Run today's checks against this version, by id or number" },
    json: ANSWER_OPTION,
  },
  notes: () => 'The exit code is 1 when a check fails, so that a pipeline can stop on it.\n',
  async run(input) {
    const source = readSource(input);
    const ids = input.option('ids')?.split(',');
    const results = await onShop(input, {
      service: async (client) => {
        const from = typeof source === 'string' ? { view: source } : { version: source.versionId };
        const body = { action: 'run' as const, ...from, ...(ids === undefined ? {} : { ids }) };
        return answered(await client.createOrRunChecks(body)) as CheckResults;
      },
      folder: (shop, shops) =>
        shops.valueOf(shop.runChecks(sourceIn(shop, source), ids, systemClock.nowMs())),
    });
    printResult(input, results, (paint) => checkLines(results, paint));
    const { failed } = results;
    if (failed > 0) throw new CommandError(`${failed} of ${results.results.length} checks failed`);
  },
};

export const checkList: Command = {
  options: { ...SHOP_OPTIONS, json: JSON_OPTION },
  async run(input) {
    const checks: readonly CheckView[] = await onShop(input, {
      service: async (client) => answered(await client.listChecks()).checks,
      folder: ({ state }) => writtenConfig(state).checks.map(checkView),
    });
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
  },
};

export const checkAdd: Command = {
  options: {
    'from-cart': { value: 'FILE', description: 'A simulate request as JSON; - reads standard input' },
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
    const at = new Date(readTime(input)).toISOString();
    const request = (await readJsonInput(path, input.settings.bodyBytesMax)) as SimulateRequest;
    const name = input.option('name') ?? basename(path).replace(/\.json$/, '');
    const bodyFor = (rates: readonly OfferedRate[]): CheckCreate => ({
      name,
      request,
      at: input.hasSwitch('any-time') ? null : at,
      expectations: [
        {
          kind: 'rates',
          rates: rates.map(({ serviceCode, totalPrice }) => ({ serviceCode, totalPrice })),
        },
      ],
    });
    const check = compileSchema(checkCreateSchema(input.settings.itemsMax));
    const draft = bodyFor([]);
    if (!check.check(draft)) throw new CommandError(check.failure(draft).message);
    const made: CheckView | null = await onShop(input, {
      service: async (client) => {
        const { staging } = answered(await client.getStaging());
        const view = staging === null ? 'live' : 'staged';
        const query = { fields: 'rates', view, at } as const;
        const { rates } = answered(await client.simulate(request, { query, simulationSource: 'test' }));
        const made = answered(await client.createOrRunChecks(bodyFor(rates)));
        return 'check' in made ? made.check : null;
      },
      folder: async (shop, shops) => {
        const source = shop.state.staging === null ? 'live' : 'staged';
        const simulated = shop.simulate(request, Date.parse(at), { source, form: 'rates' });
        const { rates } = JSON.parse(joinedText(shops.valueOf(simulated))) as RatesAnswer;
        const result = await shops.write(shop, { kind: 'createCheck', body: bodyFor(rates) });
        return result.kind === 'check' ? result.check : null;
      },
    });
    if (made === null) throw new CommandError('the server did not answer a new check');
    const { id, expectations } = made;
    const rates = expectations.flatMap((each) => (each.kind === 'rates' ? each.rates : []));
    printResult(input, { check: made }, () => `${id}: ${made.name}, expects ${ratesText(rates, 'no rate')}`);
  },
};
