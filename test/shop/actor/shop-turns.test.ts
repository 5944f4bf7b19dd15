/** What a writer does after lost races: it decides and appends in a turn in which no other node appends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppendResult, LOST_RACES_MAX, type NewRecord } from '../../../src/store/log/event-log.ts';
import { ControlledLog } from './controlled-log.ts';
import {
  accepted,
  createShop,
  groupNames,
  newGroup,
  openStage,
  refusal,
  request,
  SHOP,
  until,
} from './shop-stage.ts';

/** A log whose shops are written by other nodes too. */
class SharedLog extends ControlledLog {
  turns = 0;
  /** What others do until the turn begins. */
  beforeTurn: () => Promise<unknown> = () => Promise.resolve();
  /** The results of the next turns instead of taking them. */
  readonly turnOutcomes: AppendResult[] = [];

  async appendAlone(
    shopId: string,
    decide: () => Promise<readonly NewRecord[]>,
  ): Promise<AppendResult | null> {
    const outcome = this.turnOutcomes.shift();
    if (outcome !== undefined) return outcome;
    this.turns++;
    await this.beforeTurn();
    const records = await decide();
    return records.length === 0 ? null : this.append(shopId, this.lastSequenceNumber(shopId), records);
  }

  loseRaces(count = LOST_RACES_MAX): void {
    for (let race = 0; race < count; race++) this.outcomes.push(() => ({ kind: 'staleWriter' }));
  }
}

async function openShared() {
  const log = new SharedLog();
  const stage = openStage({}, log);
  return { log, stage, shop: await createShop(stage) };
}

test('a writer that lost two races decides in a turn of its own on what others wrote, and then races again', async () => {
  const { log, shop } = await openShared();
  const other = await openStage({}, log).directory.load(SHOP);
  log.loseRaces();
  log.beforeTurn = () => other.write(request(newGroup('Other')));
  accepted(await shop.write(request(newGroup('One'))));
  assert.deepEqual(groupNames(shop), ['Default', 'Other', 'One']);
  accepted(await shop.write(request(newGroup('Two'))));
  assert.equal(log.turns, 1);
  assert.deepEqual(groupNames(shop), ['Default', 'Other', 'One', 'Two']);
});

test('after one lost race a writer races again without a turn', async () => {
  const { log, shop } = await openShared();
  log.loseRaces(1);
  accepted(await shop.write(request(newGroup('One'))));
  assert.equal(log.turns, 0);
});

test('writes that come during a turn are decided after it, and writes that wait before it in it', async () => {
  const { log, shop } = await openShared();
  log.loseRaces();
  let later: ReturnType<typeof shop.write> | null = null;
  log.beforeTurn = async () => {
    log.isHeld = true;
    void until(() => log.isWaiting).then(() => {
      later = shop.write(request(newGroup('Later')));
      log.isHeld = false;
      log.release();
    });
  };
  const both = [shop.write(request(newGroup('One'))), shop.write(request(newGroup('Two')))];
  for (const written of both) accepted(await written);
  accepted(await (later ?? assert.fail()));
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Two', 'Later']);
});

test('a turn that has nothing to append answers all the same', async () => {
  const { log, shop } = await openShared();
  const other = await openStage({}, log).directory.load(SHOP);
  log.loseRaces();
  log.beforeTurn = () => other.write(request(newGroup('Other')));
  const ifMatch = shop.state.version.id;
  assert.equal(refusal(await shop.write(request(newGroup('One'), { ifMatch }))), 'CONFLICT');
  assert.deepEqual(groupNames(shop), ['Default', 'Other']);
});

test('if no turn is available a write is refused, and the next one races', async () => {
  const { log, shop } = await openShared();
  log.loseRaces();
  log.turnOutcomes.push({ kind: 'unreachable', cause: new Error('locked') });
  assert.equal(refusal(await shop.write(request(newGroup('One')))), 'UNAVAILABLE');
  accepted(await shop.write(request(newGroup('Two'))));
  assert.equal(log.turns, 0);
  assert.deepEqual(groupNames(shop), ['Default', 'Two']);
});

test('a write that is too large for a record is refused alone, also in a turn', async () => {
  const { log, shop } = await openShared();
  log.loseRaces();
  log.isTooLarge = ({ event }) => JSON.stringify(event).includes('Huge');
  const outcomes = await Promise.all(
    ['One', 'Huge', 'Two'].map((name) => shop.write(request(newGroup(name)))),
  );
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.ok ? 'stored' : outcome.code)),
    ['stored', 'CONFLICT', 'stored'],
  );
});
