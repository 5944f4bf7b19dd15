/**
 * Millions of damaged bodies, sent through the real pipeline, without sockets, to the demo shop, which some of them
 * change. Each gets an answer that its route documents, none is a failure of the server, and afterwards the shop equals
 * the replay of its log. The long form: `RATEWRIGHT_FLOOD_BODIES=100000000 npm test -- body-flood`; for a part that fails,
 * the command that runs it alone is printed.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SeededRandom } from '../../../../bench/profiles/seeded-random.ts';
import { ITEMS_MAX_DEFAULT } from '../../../../src/engine/domain/cart.ts';
import { DEMO_SHOP_ID } from '../../../../src/front/command-line/demo-shop.ts';
import { bodyOf, ID_SEGMENT, isForOperators, type Route } from '../../../../src/front/http/route.ts';
import { createRouteTable } from '../../../../src/front/http/route-table.ts';
import { BodySpoiler } from '../../../support/body-spoiler.ts';
import { DispatchedShop, type Sending } from '../../../support/dispatched-shop.ts';
import type { RecordedResponse } from '../../../support/recorded-response.ts';
import { checkReply } from '../../../support/reply-check.ts';
import { KIND_OF_TARGET } from '../../../support/route-requests.ts';
import { valuesOf } from '../../../support/schema-arbitrary.ts';

const BODIES = Number(process.env['RATEWRIGHT_FLOOD_BODIES'] ?? 6_000);
const SEED = Number(process.env['RATEWRIGHT_SEED'] ?? Date.now() % 1_000_000);
/** Bodies after which the shop is replaced by a new one. */
const PART = 50_000;
/** Maximum number of requests that wait for their answers. */
const TOGETHER = 32;
/** Random values of the schema of each route that are damaged, besides its documented examples. */
const VALUES = 20;
/** One of this many successes is checked against its schema; refusals always are. */
const ANSWERS_PER_CHECK = 8;
const EXPECTED = [200, 201, 400, 404, 409, 422];
/** To get rare statuses such as 422, at most this many times `BODIES` are sent. */
const TIMES_MAX = 40;

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const targets = routes.filter((route) => bodyOf(route) !== undefined && !isForOperators(route));
const examplesOf = (route: Route): readonly unknown[] => Object.values(bodyOf(route)?.examples ?? {});

interface Target {
  readonly route: Route;
  readonly spoiler: BodySpoiler;
  /** Ids for the path. */
  readonly ids: readonly string[];
}

interface Sent extends Sending {
  readonly route: Route;
  readonly response: RecordedResponse;
}

const statuses = new Map<number, number>();
let answers = 0;

function check({ route, path, parts, response }: Sent): void {
  const { status } = response;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  try {
    assert.ok(!response.isDropped && EXPECTED.includes(status), `${status}: ${response.text.slice(0, 300)}`);
    if (status >= 400 || answers++ % ANSWERS_PER_CHECK === 0)
      checkReply(route.verb, path, status, response.text);
  } catch (cause) {
    const body = Buffer.concat(parts);
    throw new Error(`${route.verb} ${path} ${body.toString('latin1').slice(0, 2_000)}`, { cause });
  }
}

/** Ids of existing records, without keys, because a revoked key would refuse all later requests. */
const idsIn = (state: unknown): string[] => [
  ...new Set([...JSON.stringify(state).matchAll(/"id":"((?!key_|rw_)[\w-]+)"/g)].map(([, id = '']) => id)),
];

function targetOf(route: Route, ids: readonly string[], seed: number): Target {
  const body = bodyOf(route);
  assert.ok(body !== undefined);
  const known = fc.constantFrom(...ids);
  const isOfId = (pattern: string) => pattern.includes('{') && new RegExp(pattern, 'u').test(ids[0] ?? '');
  const values = fc.sample(
    valuesOf(body.schema, (pattern) => (isOfId(pattern) ? known : null)),
    { numRuns: VALUES, seed },
  );
  const examples = examplesOf(route).map((example) => aboutThese(example, ids));
  const spoiler = new BodySpoiler(seed, [...examples, ...values], targets.flatMap(examplesOf));
  if (route.kind === 'callback') return { route, spoiler, ids: [DEMO_SHOP_ID] };
  const prefix = route.kind === 'shop' && route.target !== undefined ? KIND_OF_TARGET[route.target] : '';
  return { route, spoiler, ids: [...ids.filter((id) => id.startsWith(prefix)), ids[0] ?? '', 'nope'] };
}

/** The example with its ids replaced by those of existing records. */
const aboutThese = (example: unknown, ids: readonly string[]): unknown =>
  JSON.parse(
    JSON.stringify(example).replace(/"([a-z]+_)01\w+"/g, (named, prefix: string) => {
      const id = ids.find((one) => one.startsWith(prefix));
      return id === undefined ? named : `"${id}"`;
    }),
  );

/** The body in one part or two, mostly with a declared length. */
function sendingOf({ route, spoiler, ids }: Target, random: SeededRandom): Sending {
  const body = spoiler.next();
  const at = random.chance(0.1) ? random.between(0, body.length) : body.length;
  return {
    path: (route.paths.at(-1) ?? '').replace(ID_SEGMENT, random.pick(ids)),
    parts: at === body.length ? [body] : [body.subarray(0, at), body.subarray(at)],
    isChunked: random.chance(0.02),
    idempotencyKey: random.chance(0.03) ? `key-${random.between(1, 1_000_000)}` : null,
  };
}

async function runPart(seed: number, count: number): Promise<void> {
  const random = new SeededRandom(seed);
  const dispatched = await DispatchedShop.open(routes);
  const ids = idsIn(dispatched.shop.state);
  const all = targets.map((route, at) => targetOf(route, ids, seed + at));
  const waiting: Sent[] = [];
  const checkWaiting = async (): Promise<void> => {
    await Promise.all(waiting.map(({ response }) => response.over()));
    for (const one of waiting.splice(0)) check(one);
  };
  for (let left = count; left > 0; left--) {
    const target = random.pick(all);
    const sending = sendingOf(target, random);
    const response = dispatched.send(target.route, sending);
    const sent = { ...sending, route: target.route, response };
    if (response.isOver) check(sent);
    else if (waiting.push(sent) === TOGETHER) await checkWaiting();
  }
  await checkWaiting();
  assert.equal(dispatched.inFlight, 0);
  await dispatched.checkRecovery();
  assert.deepEqual(dispatched.errors, []);
}

test(`${BODIES} damaged bodies: each is answered as documented, and the shop equals its log`, async (context) => {
  const isMissing = (): boolean => EXPECTED.some((status) => !statuses.has(status));
  const isOver = (sent: number): boolean => sent >= BODIES && !(isMissing() && sent < TIMES_MAX * BODIES);
  let count = 0;
  for (let sent = 0, seed = SEED; !isOver(sent); sent += count, seed += targets.length) {
    count = Math.min(PART, sent < BODIES ? BODIES - sent : BODIES);
    try {
      await runPart(seed, count);
    } catch (cause) {
      const again = `RATEWRIGHT_SEED=${seed} RATEWRIGHT_FLOOD_BODIES=${count} npm test -- body-flood`;
      throw new Error(`run it again with ${again}`, { cause });
    }
  }
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  context.diagnostic(`seed ${SEED}: ${counts.join(', ')}`);
  for (const status of EXPECTED) assert.ok((statuses.get(status) ?? 0) > 0, `nothing was answered ${status}`);
});
