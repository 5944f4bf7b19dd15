import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedText } from '../../../src/base/bytes/answer-text.ts';
import type { Span } from '../../../src/base/tracing/span.ts';
import { DISK_FULL } from '../../../src/engine/domain/failure.ts';
import type { ShopEvent } from '../../../src/engine/domain/shop-event.ts';
import type { Origin } from '../../../src/shop/reader/shop-access.ts';
import { DamagedLogError, DiskFullError } from '../../../src/store/log/event-log.ts';
import {
  accepted,
  groupNames,
  idempotent,
  NEW_KEY,
  newGroup,
  openShop,
  openStage,
  refusal,
  request,
  SHOP,
  START_MS,
  settle,
  until,
} from './shop-stage.ts';

test('a write is answered and seen only after the flush', async () => {
  const { stage, shop } = await openShop();
  stage.log.isHeld = true;
  let answered = false;
  const write = shop.write(request(newGroup('One'))).finally(() => {
    answered = true;
  });
  await until(() => stage.log.isWaiting);
  await settle();
  assert.equal(answered, false);
  assert.deepEqual(groupNames(shop), ['Default']);
  stage.log.release();
  const answer = accepted(await write);
  assert.equal(answer.status, 201);
  assert.equal(answer.versionId, shop.state.version.id);
  assert.equal(answer.replayed, false);
  assert.deepEqual(groupNames(shop), ['Default', 'One']);
});

test('writes that wait together are appended together, in their order', async () => {
  const { stage, shop } = await openShop();
  const names = Array.from({ length: 20 }, (_, index) => `G${index}`);
  const answers = await Promise.all(names.map((name) => shop.write(request(newGroup(name)))));
  assert.deepEqual(stage.log.appends, [1, 20]);
  assert.deepEqual(groupNames(shop), ['Default', ...names]);
  const versions = answers.map((answer) => accepted(answer).versionId);
  assert.deepEqual(versions, [...new Set(versions)].sort());
  assert.equal(shop.state.version.number, 21);
});

test('writes that arrive during a flush wait for the next group', async () => {
  const { stage, shop } = await openShop();
  stage.log.isHeld = true;
  const first = shop.write(request(newGroup('First')));
  await until(() => stage.log.isWaiting);
  const later = [shop.write(request(newGroup('B'))), shop.write(request(newGroup('C')))];
  await settle();
  assert.deepEqual(stage.log.appends, [1, 1]);
  stage.log.release();
  await first;
  assert.deepEqual(groupNames(shop), ['Default', 'First']);
  await until(() => stage.log.isWaiting);
  stage.log.release();
  await Promise.all(later);
  assert.deepEqual(stage.log.appends, [1, 1, 2]);
});

test('a group is bounded by the number of its writes and by its bytes', async () => {
  const byCount = await openShop({ groupWritesMax: 3 });
  await Promise.all(Array.from({ length: 7 }, (_, i) => byCount.shop.write(request(newGroup(`G${i}`)))));
  assert.deepEqual(byCount.stage.log.appends, [1, 3, 3, 1]);
  const byBytes = await openShop({ groupBytesMax: 300 });
  await Promise.all(Array.from({ length: 4 }, (_, i) => byBytes.shop.write(request(newGroup(`G${i}`)))));
  assert.deepEqual(byBytes.stage.log.appends, [1, 1, 1, 1, 1]);
});

test('a refusal that rests on a write of the same group waits for its flush too', async () => {
  const { stage, shop } = await openShop({}, 'small');
  stage.log.isHeld = true;
  const answers: string[] = [];
  const writes = ['One', 'Two'].map((name) =>
    shop.write(request(newGroup(name))).then((outcome) => answers.push(outcome.ok ? name : outcome.code)),
  );
  await until(() => stage.log.isWaiting);
  await settle();
  assert.deepEqual(answers, []);
  stage.log.release();
  await Promise.all(writes);
  assert.deepEqual(answers, ['One', 'PLAN_LIMIT_EXCEEDED']);
  assert.deepEqual(groupNames(shop), ['Default', 'One']);
});

test('a refused write appends nothing', async () => {
  const { stage, shop } = await openShop();
  assert.equal(refusal(await shop.write(request({ kind: 'deleteGroup', id: 'group_x' }))), 'NOT_FOUND');
  assert.deepEqual(stage.log.appends, [1]);
  assert.equal(shop.isBusy, false);
});

test('If-Match is checked against the state of its turn', async () => {
  const { shop } = await openShop();
  const ifMatch = shop.state.version.id;
  const [first, second] = await Promise.all([
    shop.write(request(newGroup('One'), { ifMatch })),
    shop.write(request(newGroup('Two'), { ifMatch })),
  ]);
  accepted(first);
  assert.equal(refusal(second), 'CONFLICT');
  accepted(await shop.write(request(newGroup('Three'), { ifMatch: shop.state.version.id })));
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Three']);
});

test('a repeated request gets the first answer, once it is durable and without a second write', async () => {
  const { stage, shop } = await openShop();
  const once = accepted(await shop.write(request(newGroup('One'), idempotent('k'))));
  const again = accepted(await shop.write(request(newGroup('One'), idempotent('k'))));
  assert.deepEqual(again, { ...once, replayed: true });
  assert.equal(refusal(await shop.write(request(newGroup('Two'), idempotent('k', 'other')))), 'CONFLICT');
  assert.deepEqual(groupNames(shop), ['Default', 'One']);
  assert.equal(stage.metrics.values.writes_replayed, 1);
});

test('a repetition within one group is answered with it', async () => {
  const { stage, shop } = await openShop();
  const [once, again, other] = await Promise.all([
    shop.write(request(newGroup('One'), idempotent('k'))),
    shop.write(request(newGroup('One'), idempotent('k'))),
    shop.write(request(newGroup('Two'), idempotent('k', 'other'))),
  ]);
  assert.deepEqual(accepted(again), { ...accepted(once), replayed: true });
  assert.equal(refusal(other), 'CONFLICT');
  assert.deepEqual(stage.log.appends, [1, 1]);
});

test('a repeated request gets the first answer after a restart, and for 24 hours', async () => {
  const { stage, shop } = await openShop();
  const once = accepted(await shop.write(request(newGroup('One'), idempotent('k'))));
  const next = openStage({}, stage.log);
  const recovered = await next.directory.load(SHOP);
  next.clock.ms = START_MS + 24 * 3_600_000;
  const again = accepted(await recovered.write(request(newGroup('One'), idempotent('k'))));
  assert.deepEqual(again, { ...once, replayed: true });
  next.clock.ms++;
  assert.equal(
    accepted(await recovered.write(request(newGroup('Two'), idempotent('k', 'other')))).replayed,
    false,
  );
  assert.deepEqual(groupNames(recovered), ['Default', 'One', 'Two']);
});

test('a request that was refused is not remembered', async () => {
  const { shop } = await openShop();
  const command = { kind: 'deleteGroup', id: 'group_x' } as const;
  assert.equal(refusal(await shop.write(request(command, idempotent('k')))), 'NOT_FOUND');
  assert.equal(
    accepted(await shop.write(request(newGroup('One'), idempotent('k', 'other')))).replayed,
    false,
  );
});

test('an answer with a secret is stored sealed, and read only by a caller who can open it', async () => {
  const { stage, shop } = await openShop();
  const asked = (opens: boolean) =>
    request(newGroup('One'), {
      idempotency: {
        key: 'k',
        requestDigest: 'digest',
        seal: (body) => `sealed ${body}`,
        open: (stored) => (opens ? stored.replace('sealed ', '') : null),
      },
    });
  const [once, again, stranger] = await Promise.all([
    shop.write(asked(true)),
    shop.write(asked(true)),
    shop.write(asked(false)),
  ]);
  assert.equal(accepted(again).body, accepted(once).body);
  assert.equal(refusal(stranger), 'CONFLICT');
  assert.equal(refusal(await shop.write(asked(false))), 'CONFLICT');
  const stored = stage.log.records(SHOP).at(-1)?.answer?.body ?? '';
  assert.match(stored, /^sealed /);
});

test('a full mailbox refuses writes at once and accepts them again when it has room', async () => {
  const { stage, shop } = await openShop({ mailboxLengthMax: 2 });
  stage.log.isHeld = true;
  const waiting = [shop.write(request(newGroup('One'))), shop.write(request(newGroup('Two')))];
  await until(() => stage.log.isWaiting);
  const outcome = await shop.write(request(newGroup('Three')));
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, 'RATE_LIMITED');
  assert.equal(outcome.retryAfterSeconds, 1);
  stage.log.isHeld = false;
  stage.log.release();
  await Promise.all(waiting);
  accepted(await shop.write(request(newGroup('Four'))));
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Two', 'Four']);
  assert.equal(stage.metrics.values.mailbox_full, 1);
});

test('after another process wrote first the group is decided again on what it wrote', async () => {
  const { stage, shop } = await openShop();
  const other = await openStage({}, stage.log).directory.load(SHOP);
  accepted(await other.write(request(newGroup('Theirs'))));
  const ifMatch = shop.state.version.id;
  const [stale, plain] = await Promise.all([
    shop.write(request(newGroup('Stale'), { ifMatch })),
    shop.write(request(newGroup('Ours'))),
  ]);
  assert.equal(refusal(stale), 'CONFLICT');
  accepted(plain);
  assert.deepEqual(groupNames(shop), ['Default', 'Theirs', 'Ours']);
  await other.refresh();
  assert.deepEqual(other.state, shop.state);
});

test('a key that another process revoked is announced before a write is answered', async () => {
  const { stage, shop } = await openShop();
  accepted(await shop.write(request(NEW_KEY)));
  const keyId = shop.state.keys[0]?.id ?? '';
  const other = await openStage({}, stage.log).directory.load(SHOP);
  accepted(await other.write(request({ kind: 'revokeKey', id: keyId })));
  assert.deepEqual(stage.revoked, []);
  assert.equal(refusal(await shop.write(request(newGroup('One'), { keyId }))), 'UNAUTHORIZED');
  assert.deepEqual(stage.revoked, [keyId]);
});

test('a key is revoked for readers before the revocation is answered, and for the writes queued after it', async () => {
  const { stage, shop } = await openShop();
  accepted(await shop.write(request(NEW_KEY)));
  const keyId = shop.state.keys[0]?.id ?? '';
  const [revoked, behind] = await Promise.all([
    shop.write(request({ kind: 'revokeKey', id: keyId })).then((outcome) => {
      assert.deepEqual(stage.revoked, [keyId]);
      return outcome;
    }),
    shop.write(request(newGroup('One'), { keyId })),
  ]);
  accepted(revoked);
  assert.equal(refusal(behind), 'UNAUTHORIZED');
});

test('writes that other processes overtake too often are refused instead of retried for ever', async () => {
  const { stage, shop } = await openShop();
  for (let turn = 0; turn < 100; turn++) stage.log.outcomes.push(() => ({ kind: 'staleWriter' }));
  assert.equal(refusal(await shop.write(request(newGroup('One')))), 'RATE_LIMITED');
  stage.log.outcomes.length = 0;
  accepted(await shop.write(request(newGroup('Two'))));
  assert.deepEqual(groupNames(shop), ['Default', 'Two']);
});

for (const kind of ['unavailable', 'outcomeUnknown', 'rejected'] as const) {
  test(`a failed append (${kind}) answers every waiting write and stops the process`, async () => {
    const { stage, shop } = await openShop();
    stage.log.isHeld = true;
    const cause = new Error('disk full');
    stage.log.outcomes.push(() => {
      if (kind === 'rejected') throw cause;
      return { kind, cause };
    });
    const first = shop.write(request(newGroup('One')));
    await until(() => stage.log.isWaiting);
    const second = shop.write(request(newGroup('Two')));
    stage.log.release();
    assert.equal(refusal(await first), 'INTERNAL_ERROR');
    assert.equal(refusal(await second), 'INTERNAL_ERROR');
    assert.deepEqual(stage.fatal, [cause]);
    assert.equal(refusal(await shop.write(request(newGroup('Three')))), 'INTERNAL_ERROR');
    assert.deepEqual(groupNames(shop), ['Default']);
    assert.equal(stage.log.appends.length, 2);
  });
}

test('on a full disk every waiting write is refused, none is remembered, and the next one is stored', async () => {
  const { stage, shop } = await openShop();
  stage.log.isHeld = true;
  for (let append = 0; append < 2; append++)
    stage.log.outcomes.push(() => ({ kind: 'diskFull', cause: new DiskFullError() }));
  const first = shop.write(request(newGroup('One'), idempotent('k')));
  await until(() => stage.log.isWaiting);
  const second = shop.write(request(newGroup('Two'), idempotent('other')));
  stage.log.isHeld = false;
  stage.log.release();
  for (const refused of [await first, await second]) assert.deepEqual(refused, DISK_FULL);
  assert.deepEqual(groupNames(shop), ['Default']);
  const stored = accepted(await shop.write(request(newGroup('One'), idempotent('k'))));
  assert.equal(stored.replayed, false);
  assert.deepEqual([groupNames(shop), stage.fatal], [['Default', 'One'], []]);
});

for (const error of [new DamagedLogError(SHOP, 0, 'is damaged'), new RangeError('too large')]) {
  test(`an append that the log rejects (${error.name}) refuses its group and ends nothing`, async () => {
    const { stage, shop } = await openShop();
    stage.log.outcomes.push(() => {
      throw error;
    });
    assert.equal(refusal(await shop.write(request(newGroup('One')))), 'INTERNAL_ERROR');
    assert.deepEqual(stage.fatal, []);
    accepted(await shop.write(request(newGroup('Two'))));
    assert.deepEqual(groupNames(shop), ['Default', 'Two']);
  });
}

test('a write that is too large for a record is refused alone; the others of its group are stored', async () => {
  const { stage, shop } = await openShop();
  stage.log.isTooLarge = ({ event }) => JSON.stringify(event).includes('Huge');
  const writeAll = (names: readonly string[]) =>
    Promise.all(names.map((name) => shop.write(request(newGroup(name)))));
  const outcomes = await writeAll(['One', 'Huge', 'Two', 'Huge too', 'Three']);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.ok ? 'stored' : outcome.code)),
    ['stored', 'CONFLICT', 'stored', 'CONFLICT', 'stored'],
  );
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Two', 'Three']);
  // Each was tried alone, and later writes share a group again.
  assert.deepEqual(stage.log.appends.slice(-6), [5, 1, 1, 1, 1, 1]);
  await writeAll(['Four', 'Five']);
  assert.equal(stage.log.appends.at(-1), 2);
  assert.deepEqual(stage.fatal, []);
});

/** A request with a span; `said` has what became of it and of the spans within it. */
function tracedOrigin(name: string, said: string[]): Origin {
  const span: Span = {
    begin: (within, attributes) => {
      said.push(`${name}: ${within} of ${attributes['ratewright.append.records']} begins`);
      return { ...span, end: (_, fault) => said.push(`${name}: ${within} ends, ${fault ?? 'done'}`) };
    },
    end: () => assert.fail('the request ends its own span'),
  };
  return { span, logFields: (answer) => ({ requestId: name, answer: JSON.stringify(answer) }) };
}

test('each request that a group appends for has a span of the append, one more when it is done again', async () => {
  const { stage, shop } = await openShop();
  stage.log.outcomes.push(() => ({ kind: 'staleWriter' }));
  const said: string[] = [];
  const write = (name: string, ifMatch: string | null = null) =>
    shop.write(request(newGroup(name), { ifMatch, origin: tracedOrigin(name, said) }));
  const [one, refused, two] = await Promise.all([write('r1'), write('r2', 'version_old'), write('r3')]);
  accepted(one);
  accepted(two);
  assert.equal(refusal(refused), 'CONFLICT');
  const begun = ['r1: append of 2 begins', 'r3: append of 2 begins'];
  const ended = (how: string) => [`r1: append ends, ${how}`, `r3: append ends, ${how}`];
  assert.deepEqual(said, [...begun, ...ended('staleWriter'), ...begun, ...ended('done')]);
});

test('a bug in one write does not harm the others of its group', async () => {
  const { stage, shop } = await openShop();
  const said: string[] = [];
  const broken = request(newGroup('Broken'), {
    origin: tracedOrigin('r1', said),
    render: () => {
      throw new Error('bug');
    },
  });
  const [first, second] = await Promise.all([shop.write(broken), shop.write(request(newGroup('Two')))]);
  assert.equal(refusal(first), 'INTERNAL_ERROR');
  accepted(second);
  assert.deepEqual(groupNames(shop), ['Default', 'Two']);
  assert.deepEqual(said, []);
  const [{ event, fields } = { event: '', fields: {} }] = stage.errors;
  assert.deepEqual([event, fields['requestId']], ['write.threw', 'r1']);
  assert.match(String(fields['answer']), /"INTERNAL_ERROR"/);
});

test('an answer is made of the state that its write leads to, with those before it in the group', async () => {
  const { shop } = await openShop();
  const write = (name: string) =>
    request(newGroup(name), {
      render: (_, { config }) => ({ status: 201, body: String(config.productGroups.length) }),
    });
  const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => shop.write(write(name))));
  assert.deepEqual(
    answers.map((answer) => accepted(answer).body),
    ['2', '3', '4'],
  );
});

test('the history of a shop never goes back in time, whatever the clock does', async () => {
  const { stage, shop } = await openShop();
  const times: string[] = [];
  for (const jumpMs of [1_000, -3_600_000, 0, 86_400_000, -86_400_000]) {
    stage.clock.ms += jumpMs;
    accepted(await shop.write(request(newGroup(`at ${stage.clock.ms}`))));
    times.push(shop.state.version.createdAt);
  }
  const next = openStage({}, stage.log);
  next.clock.ms = 0;
  const recovered = await next.directory.load(SHOP);
  accepted(await recovered.write(request(newGroup('after a restart'))));
  times.push(recovered.state.version.createdAt);
  assert.deepEqual(times, [...times].sort());
});

test('a simulation sees a change once it is published', async () => {
  const { shop } = await openShop();
  const cart = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
  const zoneOf = () => {
    const outcome = shop.simulate(cart, START_MS);
    assert.ok(outcome.ok);
    return (JSON.parse(joinedText(outcome.value)) as { zone: { name: string } | null }).zone?.name;
  };
  assert.equal(zoneOf(), undefined);
  const data = { zones: [{ name: 'Home', countries: ['US'] }] };
  accepted(await shop.write(request({ kind: 'executeConfig', data })));
  assert.equal(zoneOf(), 'Home');
});

test('a preview changes nothing', async () => {
  const { stage, shop } = await openShop();
  const before = shop.state;
  const outcome = shop.preview(
    { data: { zones: [{ name: 'Home', countries: ['US'] }] } },
    { now: new Date(START_MS).toISOString(), seed: 'seed' },
  );
  assert.ok(outcome.ok);
  assert.equal(outcome.value.summary.added, 1);
  assert.equal(shop.state, before);
  assert.deepEqual(stage.log.appends, [1]);
});

test('every accepted write is one event with the time, in the order of the versions', async () => {
  const { stage, shop } = await openShop();
  await Promise.all(['One', 'Two'].map((name) => shop.write(request(newGroup(name), { batchId: 'b1' }))));
  const events = stage.log.records(SHOP).map((record) => record.event);
  const versionOf = (event: ShopEvent) => ('version' in event ? event.version : null);
  assert.deepEqual(
    events.map((event) => versionOf(event)?.number),
    [1, 2, 3],
  );
  assert.deepEqual(
    events.map((event) => versionOf(event)?.batchId),
    [null, 'b1', 'b1'],
  );
  assert.equal(versionOf(events[2] as ShopEvent)?.createdAt, new Date(START_MS).toISOString());
});
