/** Bugs that the simulator must find. Paths are relative to `src`. */
import type { PlantedBug } from '../support/planted-program.ts';

const ACTOR = 'shop/actor/shop-actor';
const WRITER = 'shop/actor/writer';
const GROUP = 'shop/actor/write-group';

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    what: 'a group of writes is shown to readers before it is on disk',
    file: WRITER,
    from: 'const append = () => log.append(',
    to: 'this.#show(group); const append = () => log.append(',
  },
  {
    what: 'writes are answered before they are on disk',
    file: WRITER,
    from: 'const append = () => log.append(',
    to: 'this.#answer(group.outcomes.splice(0), null); const append = () => log.append(',
  },
  {
    what: 'a writer whose group was refused as stale treats it as appended',
    file: WRITER,
    from: 'this.#loseRace(count);\n                break;',
    to: 'this.#show(group); this.#finish(group, null); break;',
  },
  {
    what: 'a write with an unknown outcome is answered as refused',
    file: WRITER,
    from: 'this.#fail(result.cause);',
    to: 'this.#refuse(count, this.#busy());',
  },
  {
    what: 'writes that are waiting when the log fails are never answered',
    file: WRITER,
    from: 'this.#mailbox.empty(LOG_FAILED);',
    to: '',
  },
  {
    what: 'an actor continues to write after another one has replaced it',
    file: ACTOR,
    from: 'if (this.#successor !== null)',
    to: 'if (false)',
  },
  {
    what: 'a revoked key stays valid, because its revocation is not announced',
    file: WRITER,
    from: "if (event.kind === 'keyRevoked')",
    to: 'if (false)',
  },
  {
    what: 'a simulation answers from an earlier configuration',
    file: 'shop/reader/simulating-shop',
    from: 'compiled?.config === config && compiled.settings',
    to: 'compiled?.settings',
  },
  {
    what: 'the mailbox has no limit',
    file: WRITER,
    from: 'this.#mailbox.unanswered >= this.#ports.limits.mailboxLengthMax',
    to: 'false',
  },
  {
    what: 'a checkpoint names the record before its own',
    file: 'shop/actor/checkpoints',
    from: '.then(() => this.#write({ state, sequenceNumber }))',
    to: '.then(() => this.#write({ state, sequenceNumber: sequenceNumber - 1 }))',
  },
  {
    what: 'a waiting write is executed with a key that was revoked meanwhile',
    file: GROUP,
    from: 'if (keyId !== null && !this.state.keys.some(',
    to: 'if (false && !this.state.keys.some(',
  },
  {
    what: 'an Idempotency-Key is not looked up among the writes of the same group',
    file: GROUP,
    from: 'this.#answers.get(key) ?? ',
    to: '',
  },
  {
    what: 'the answer to a write is not stored with it for repetitions',
    file: GROUP,
    from: 'isLast && answer !== null ? extended(record, { answer }) : record',
    to: 'record',
  },
  {
    what: 'the times of records go back when the clock does',
    file: GROUP,
    from: 'Math.max(clock.nowMs(), this.lastAtMs)',
    to: 'clock.nowMs()',
  },
  {
    what: 'If-Match is not compared for writes after the first of a group',
    file: GROUP,
    from: 'if (ifMatch !== null && !',
    to: 'if (ifMatch !== null && this.records.length === 0 && !',
  },
  {
    what: 'the tag of a changeset stays the same after a write to it',
    file: 'engine/domain/view-tag',
    from: 'staging.writes.length]',
    to: '0]',
  },
  {
    what: 'a write that failed with an exception changes the state',
    file: GROUP,
    from: 'const { status, body } = request.render(result, state);',
    to: 'this.state = state; const { status, body } = request.render(result, state);',
  },
  {
    what: 'recovery skips the record after a checkpoint',
    file: 'shop/reader/recovery',
    from: 'log.read(shopId, sequenceNumber,',
    to: 'log.read(shopId, sequenceNumber === 0 ? 0 : sequenceNumber + 1,',
  },
  {
    what: 'a refresh does not read the new records of the log',
    file: 'shop/actor/shop-directory',
    from: 'await actor?.refresh();',
    to: 'return;',
  },
  {
    what: 'a promotion leaves out the last write of the changeset',
    file: 'engine/change/decide',
    from: 'of staging.writes) {',
    to: 'of staging.writes.slice(0, -1)) {',
  },
  {
    what: 'a write changes the live configuration although a changeset is active',
    file: 'engine/change/decide',
    from: 'state.staging === null ? versionAfter(',
    to: 'true ? versionAfter(',
  },
  {
    what: 'a checkpoint leaves out the active changeset',
    file: 'engine/change/state-image',
    from: 'if (staging === null)',
    to: 'return JSON.stringify(shopImageData({ ...state, staging: null })); if (staging === null)',
  },
  {
    what: 'an earlier version is read without the record that made it',
    file: 'shop/reader/shop-history',
    from: 'const { config } = this.#at(sequenceNumber, undefined, version.id).state;',
    to: 'const { config } = this.#at(Math.max(1, sequenceNumber - 1)).state;',
  },
];
