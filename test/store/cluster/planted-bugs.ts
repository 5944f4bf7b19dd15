/** Bugs that the cluster simulator must find, in the protocol and in the adapters on which it relies. */
import type { PlantedBug } from '../../support/planted-program.ts';

const BARRIER = 'src/store/cluster/barrier';
const FOLLOWER = 'src/store/cluster/follower';
const HEARTBEAT = 'src/store/cluster/heartbeat';
const NODE = 'src/store/cluster/cluster-node';
const SETTLE = 'src/store/log/append-definitely';
const SETTLES = "return result.kind === 'outcomeUnknown' ? settleAppend(authority, group, pause) : result;";
const TURN = 'src/store/cluster/write-turn';
/** The bugs in it break what the protocol expects of an adapter. */
const AUTHORITY = 'test/store/cluster/simulated-authority';

export interface ClusterBug extends PlantedBug {
  /** The exhaustive orders of one write and one beat find it too; the other bugs need more steps. */
  readonly isInOneWrite?: true;
  /** It needs several rare events at once: fewer than one in 3,000 seeds shows it. */
  readonly isRare?: true;
}

/** The compiled read of a feed whose position is stored in `holder`. */
function feedKeptBy(holder: string, otherwise: string): string {
  return `const since = ${holder}.feedFrom${otherwise};
        const changed = connection.send((server) => changesSince(server, since));
        const listed = connection.send((server) => server.nodes());
        for (const answer of [raised, changed])
            answer.catch(() => { });
        const nodes = await this.#timed(connection, listed);
        if (!(await raised))
            return null;
        const { from, states } = await changed;
        ${holder}.feedFrom = from;`;
}

export const PLANTED_BUGS: readonly ClusterBug[] = [
  {
    what: 'a beat reads the changes before it raises its number',
    file: AUTHORITY,
    from: `const raised = connection.send((server) => raiseBeat(server, row));
        const since = connection.feedFrom;
        const changed = connection.send((server) => changesSince(server, since));`,
    to: `const since = connection.feedFrom;
        const changed = connection.send((server) => changesSince(server, since));
        const raised = connection.send((server) => raiseBeat(server, row));`,
  },
  {
    what: 'a new connection continues the feed of changes of the lost one',
    isInOneWrite: true,
    isRare: true,
    file: AUTHORITY,
    from: feedKeptBy('connection', ''),
    to: feedKeptBy('this', ' ?? null'),
  },
  {
    what: 'the feed forgets the transactions that were under way',
    file: AUTHORITY,
    from: 'changed >= next || underWay.has(changed)',
    to: 'changed >= next',
  },
  {
    what: 'a delayed beat is counted as one more beat',
    isInOneWrite: true,
    file: AUTHORITY,
    from: `if (known === undefined || known.beat >= row.beat)
        return null;
    return ({ nodes }) => nodes.set(row.run, row);`,
    to: `if (known === undefined)
        return null;
    return ({ nodes }) => nodes.set(row.run, { ...row, beat: known.beat + 1 });`,
  },
  {
    what: 'the result of a read is used without the commit that confirms it',
    file: AUTHORITY,
    from: 'const confirmed = connection.send((server) => server.commit(() => { }));',
    to: 'const confirmed = connection.send(() => { });',
  },
  {
    what: 'an append reads the list of nodes before it stores its records',
    isInOneWrite: true,
    file: AUTHORITY,
    from: `const appended = connection.send((server) => server.update(group.shopId, () => server.appendEffect(group)));
        const listed = connection.send((server) => server.nodes());`,
    to: `const listed = connection.send((server) => server.nodes());
        const appended = connection.send((server) => server.update(group.shopId, () => server.appendEffect(group)));`,
  },
  {
    what: 'a lease starts when the answer to a beat arrives, not when the beat was sent',
    isInOneWrite: true,
    file: HEARTBEAT,
    from: 'lease.renew(sentAt);',
    to: 'lease.renew(momentOf(clock));',
  },
  {
    what: 'an append of unknown outcome counts as failed when its records are not there yet',
    file: SETTLE,
    from: SETTLES,
    to: `if (result.kind !== 'outcomeUnknown') return result;
        const [first] = group.records;
        const hash = await authority.hashAt(group.shopId, first.sequenceNumber).catch(() => undefined);
        if (hash === null) return { kind: 'unavailable', cause: result.cause };
        return settleAppend(authority, group, pause);`,
  },
  {
    what: 'an append of unknown outcome counts as failed',
    isInOneWrite: true,
    file: SETTLE,
    from: SETTLES,
    to: `return result.kind === 'outcomeUnknown' ? { kind: 'unavailable', cause: result.cause } : result;`,
  },
  {
    what: 'two nodes make the same bytes of one write, so each takes the record for its own',
    file: 'test/store/cluster/simulated-node',
    from: 'this.#newAppendId()',
    to: "''",
  },
  {
    what: 'a writer that keeps losing the race for a shop never takes the lock',
    file: 'src/store/log/event-log',
    from: 'LOST_RACES_MAX = 2',
    to: 'LOST_RACES_MAX = 1_000',
  },
  {
    what: 'a record is stored in the mirror before it is stored in the database',
    file: TURN,
    from: 'const result = await appendDefinitely(authority, group, pauseOf(ports));',
    to: `await ports.mirror.store(group.shopId, group.records);
    const result = await appendDefinitely(authority, group, pauseOf(ports));`,
  },
  {
    what: 'a write is answered without waiting until all nodes show it',
    isInOneWrite: true,
    file: NODE,
    from: 'this.#barrier.passed(others, mark, shown)',
    to: 'Promise.resolve()',
  },
  {
    what: 'a write waits for one beat of each other node instead of two',
    isInOneWrite: true,
    file: BARRIER,
    from: 'const BEATS_UNTIL_APPLIED = 2;',
    to: 'const BEATS_UNTIL_APPLIED = 1;',
  },
  {
    what: 'a node announces that it shows a record before it does',
    file: FOLLOWER,
    from: 'behind.mustTell = true;',
    to: 'authority.tellShown([mark]);',
  },
  {
    what: 'a node announces that it shows a record while it still loads the shop',
    file: FOLLOWER,
    from: 'if (!this.#followed.has(shopId))\n                copies.forget(shopId);',
    to: 'if (copies.shownUpTo(shopId) === 0)\n                copies.forget(shopId);',
  },
  {
    what: 'the announcement of an earlier record counts for a later one',
    file: BARRIER,
    from: 'if (mark?.shopId !== shopId || sequenceNumber < mark.sequenceNumber)',
    to: 'if (mark?.shopId !== shopId)',
  },
  {
    what: 'the wait for a silent node leaves no margin for clocks that differ or stand still',
    isInOneWrite: true,
    file: 'src/store/cluster/timing',
    from: '(LEASE_MS + CLOCK_FREEZE_MS) * (1 + CLOCK_RATE_DIFFERENCE)',
    to: 'LEASE_MS',
  },
  {
    what: 'a write is refused on a state that may lack acknowledged writes',
    file: NODE,
    from: "return this.freshness(shopId).kind === 'current' ? null : this.#catchUp(shopId);",
    to: 'return null;',
  },
  {
    what: 'a refusal says that nothing was done although an earlier attempt may wait at another node',
    file: 'src/front/http/refused-write',
    from: 'hasOtherNodes || idempotencyKey === null',
    to: 'idempotencyKey === null',
  },
  {
    what: 'a lease goes on although the wall clock shows that the monotonic clock stood still',
    file: 'src/store/cluster/lease',
    from: 'Math.abs(wallMs - monotonicMs) > CLOCKS_APART_MS_MAX',
    to: 'false',
  },
  {
    what: 'the age of an answer is that of the clock that stood still',
    file: 'src/store/cluster/lease',
    from: 'Math.max(now.monotonicMs - since.monotonicMs, now.wallMs - since.wallMs)',
    to: 'now.monotonicMs - since.monotonicMs',
  },
  {
    what: 'a node keeps its lease although the changes of a beat were not all applied',
    isInOneWrite: true,
    file: HEARTBEAT,
    from: 'if (!this.#isCarriedThrough)\n            lease.end();',
    to: '',
  },
  {
    what: 'a node ignores changes of a shop until it has read the shop once',
    isInOneWrite: true,
    file: FOLLOWER,
    from: `this.#followed.add(shopId);
        if (!this.isOfLastRun(shopId))
            await this.#mirrorWhole(shopId);`,
    to: `await this.#mirrorWhole(shopId);
        this.#followed.add(shopId);`,
  },
  {
    what: 'a shop of the last run is loaded from the mirror alone also after the heads were compared',
    file: FOLLOWER,
    from: 'this.#ofLastRun.clear();',
    to: '',
  },
  {
    what: 'a node does not compare its heads with the database when the feed restarts',
    isInOneWrite: true,
    file: FOLLOWER,
    from: 'if (this.#mustCompare) {',
    to: 'if (false) {',
  },
  {
    what: 'a failed comparison of heads is not repeated',
    file: FOLLOWER,
    from: 'if (this.#mustCompare) {',
    to: 'if (changed === null) {',
  },
  {
    what: 'a beat counts although its changes are not applied yet',
    isInOneWrite: true,
    file: FOLLOWER,
    from: 'await waitAtMost(this.#ports.clock, CATCH_UP_MS, Promise.all(catchingUp));',
    to: 'return;',
  },
  {
    what: 'a shop that lags behind is answered as if it were current',
    isInOneWrite: true,
    file: NODE,
    from: 'heldOutSince === undefined && this.#lease.isHeld(now)',
    to: 'this.#lease.isHeld(now)',
  },
  {
    what: 'the answer of a shop that lags behind states the age of the node',
    file: NODE,
    from: 'heldOutSince === undefined ? this.#lease.currentAt : heldOutSince',
    to: 'this.#lease.currentAt',
  },
  {
    what: 'a node uses a whole plan although other nodes are alive',
    file: HEARTBEAT,
    from: 'return rankAmong(sharing, run);',
    to: 'return rankAmong([run], run);',
  },
];
