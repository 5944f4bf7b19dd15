/** Writes that come while a group is being flushed: they wait for that flush, also when it fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accepted,
  groupNames,
  idempotent,
  newGroup,
  openShop,
  refusal,
  request,
  settle,
  until,
} from './shop-stage.ts';

test('writes that come during a flush are not appended, visible or answered before it ends', async () => {
  const { stage, shop } = await openShop();
  stage.log.isHeld = true;
  const answers: string[] = [];
  const write = (name: string) => shop.write(request(newGroup(name))).then(() => answers.push(name));
  const writes = [write('One')];
  await until(() => stage.log.isWaiting);
  writes.push(write('Two'));
  await settle();
  assert.deepEqual([stage.log.appends, answers], [[1, 1], []]);
  assert.deepEqual(groupNames(shop), ['Default']);
  stage.log.release();
  await until(() => stage.log.isWaiting);
  assert.deepEqual([stage.log.appends, answers], [[1, 1, 1], ['One']]);
  assert.deepEqual(groupNames(shop), ['Default', 'One']);
  stage.log.release();
  await Promise.all(writes);
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Two']);
});

test('writes behind a failed flush are decided without it', async () => {
  const { stage, shop } = await openShop({ groupWritesMax: 1 }, 'small');
  stage.log.outcomes.push(() => {
    throw new RangeError('too large');
  });
  // The plan has room for one group more: had the first come to be, there would be none for the second.
  const [one, two] = await Promise.all([
    shop.write(request(newGroup('One'))),
    shop.write(request(newGroup('Two'))),
  ]);
  assert.equal(refusal(one), 'INTERNAL_ERROR');
  accepted(two);
  assert.deepEqual(groupNames(shop), ['Default', 'Two']);
  assert.equal(shop.state.version.number, 2);
});

test('a repetition of a write that is being flushed is answered after it, and writes nothing', async () => {
  const { stage, shop } = await openShop();
  stage.log.isHeld = true;
  const once = shop.write(request(newGroup('One'), idempotent('k')));
  await until(() => stage.log.isWaiting);
  let isAnswered = false;
  const again = shop.write(request(newGroup('One'), idempotent('k'))).then((outcome) => {
    isAnswered = true;
    return outcome;
  });
  await settle();
  assert.equal(isAnswered, false);
  stage.log.release();
  assert.deepEqual(accepted(await again), { ...accepted(await once), replayed: true });
  assert.deepEqual(stage.log.appends, [1, 1]);
});

test('when the log fails, waiting writes fail too and are not written', async () => {
  const { stage, shop } = await openShop({ groupWritesMax: 1 });
  stage.log.outcomes.push(() => ({ kind: 'outcomeUnknown', cause: new Error('lost') }));
  const outcomes = await Promise.all(
    ['One', 'Two', 'Three'].map((name) => shop.write(request(newGroup(name)))),
  );
  assert.deepEqual(outcomes.map(refusal), ['INTERNAL_ERROR', 'INTERNAL_ERROR', 'INTERNAL_ERROR']);
  await settle();
  assert.deepEqual(stage.log.appends, [1, 1]);
  assert.equal(stage.fatal.length, 1);
  assert.equal(refusal(await shop.write(request(newGroup('Four')))), 'INTERNAL_ERROR');
});
