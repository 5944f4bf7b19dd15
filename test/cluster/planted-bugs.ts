/** Bugs that a simulation of a cluster must find, in the protocol and in the adapters that it relies on. */
import type { PlantedBug } from '../support/planted-program.ts';

const BARRIER = 'src/cluster/barrier';
const FOLLOWER = 'src/cluster/follower';
const HEARTBEAT = 'src/cluster/heartbeat';
const NODE = 'src/cluster/cluster-node';
const SETTLE = 'src/log/append-definitely';
const SETTLES = "return result.kind === 'outcomeUnknown' ? settleAppend(authority, group, pause) : result;";
const TURN = 'src/cluster/write-turn';
/** The promises of an adapter. */
const AUTHORITY = 'test/cluster/simulated-authority';

export interface ClusterBug extends PlantedBug {
  /** An order of one write and one renewal shows it; the other bugs need more steps. */
  readonly isInOneWrite?: true;
  /** It needs several rare events at once: fewer than one of 3,000 seeds show it. */
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
    what: 'a beat is raised and the changes are read by one statement',
    file: AUTHORITY,
    from: `const raised = connection.send((server) => raiseBeat(server, row));
        const since = connection.feedFrom;
        const changed = connection.send((server) => changesSince(server, since));`,
    to: `const since = connection.feedFrom;
        const changed = connection.send((server) => changesSince(server, since));
        const raised = connection.send((server) => raiseBeat(server, row));`,
  },
  {
    what: 'a feed is kept across connections',
    isInOneWrite: true,
    isRare: true,
    file: AUTHORITY,
    from: feedKeptBy('connection', ''),
    to: feedKeptBy('this', ' ?? null'),
  },
  {
    what: 'a late beat raises the number once more',
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
    what: 'a read is not confirmed',
    file: AUTHORITY,
    from: 'const confirmed = connection.send((server) => server.commit(() => { }));',
    to: 'const confirmed = connection.send(() => { });',
  },
  {
    what: 'the list of nodes is read before the append',
    isInOneWrite: true,
    file: AUTHORITY,
    from: `const appended = connection.send((server) => server.update(group.shopId, () => server.appendEffect(group)));
        const listed = connection.send((server) => server.nodes());`,
    to: `const listed = connection.send((server) => server.nodes());
        const appended = connection.send((server) => server.update(group.shopId, () => server.appendEffect(group)));`,
  },
  {
    what: 'the lease counts from the answer',
    isInOneWrite: true,
    file: HEARTBEAT,
    from: 'lease.renew(sentAtMs);',
    to: 'lease.renew(clock.monotonicMs());',
  },
  {
    what: 'absence is taken for "not stored"',
    file: SETTLE,
    from: SETTLES,
    to: `if (result.kind !== 'outcomeUnknown') return result;
        const [first] = group.records;
        const hash = await authority.hashAt(group.shopId, first.sequenceNumber).catch(() => undefined);
        if (hash === null) return { kind: 'unavailable', cause: result.cause };
        return settleAppend(authority, group, pause);`,
  },
  {
    what: 'an unknown outcome is taken for "not stored"',
    isInOneWrite: true,
    file: SETTLE,
    from: SETTLES,
    to: `return result.kind === 'outcomeUnknown' ? { kind: 'unavailable', cause: result.cause } : result;`,
  },
  {
    what: 'no writer takes the lock',
    file: 'src/log/event-log',
    from: 'LOST_RACES_MAX = 2',
    to: 'LOST_RACES_MAX = 1_000',
  },
  {
    what: 'the mirror has a record before the authority',
    file: TURN,
    from: 'const result = await appendDefinitely(authority, group, pauseOf(ports));',
    to: `await ports.mirror.store(group.shopId, group.records);
    const result = await appendDefinitely(authority, group, pauseOf(ports));`,
  },
  {
    what: 'a write is answered without the barrier',
    isInOneWrite: true,
    file: NODE,
    from: 'this.#barrier.passed(others, mark, shown)',
    to: 'Promise.resolve()',
  },
  {
    what: 'a write waits for one later beat instead of two',
    isInOneWrite: true,
    file: BARRIER,
    from: 'const BEATS_UNTIL_APPLIED = 2;',
    to: 'const BEATS_UNTIL_APPLIED = 1;',
  },
  {
    what: 'a node tells of a record before it shows it',
    file: FOLLOWER,
    from: 'behind.mustTell = true;',
    to: 'authority.tellShown([mark]);',
  },
  {
    what: 'a node tells of a record while it loads the shop',
    file: FOLLOWER,
    from: 'if (!this.#followed.has(shopId))\n                copies.forget(shopId);',
    to: 'if (copies.shownUpTo(shopId) === 0)\n                copies.forget(shopId);',
  },
  {
    what: 'a hint about an earlier record counts',
    file: BARRIER,
    from: 'if (mark?.shopId !== shopId || sequenceNumber < mark.sequenceNumber)',
    to: 'if (mark?.shopId !== shopId)',
  },
  {
    what: 'a lapse does not allow for clocks that differ or stand still',
    isInOneWrite: true,
    file: 'src/cluster/timing',
    from: '(LEASE_MS + CLOCK_FREEZE_MS) * (1 + CLOCK_RATE_DIFFERENCE)',
    to: 'LEASE_MS',
  },
  {
    what: 'a lease outlives a beat that was not carried through',
    isInOneWrite: true,
    file: HEARTBEAT,
    from: 'if (!this.#isCarriedThrough)\n            lease.end();',
    to: '',
  },
  {
    what: 'a shop is followed only after its first read',
    isInOneWrite: true,
    file: FOLLOWER,
    from: `this.#followed.add(shopId);
        await this.#mirrorWhole(shopId);`,
    to: `await this.#mirrorWhole(shopId);
        this.#followed.add(shopId);`,
  },
  {
    what: 'heads are not compared when the feed begins anew',
    isInOneWrite: true,
    file: FOLLOWER,
    from: 'if (this.#mustCompare) {',
    to: 'if (false) {',
  },
  {
    what: 'a comparison of heads that failed is not made again',
    file: FOLLOWER,
    from: 'if (this.#mustCompare) {',
    to: 'if (changed === null) {',
  },
  {
    what: 'a beat counts before its changes are applied',
    isInOneWrite: true,
    file: FOLLOWER,
    from: 'await waitAtMost(this.#ports.clock, CATCH_UP_MS, Promise.all(catchingUp));',
    to: 'return;',
  },
  {
    what: 'a shop that is held out answers without a mark',
    isInOneWrite: true,
    file: NODE,
    from: 'heldOutSinceMs === undefined && this.#lease.isHeld(nowMs)',
    to: 'this.#lease.isHeld(nowMs)',
  },
  {
    what: 'a shop that is held out gets the age of the node',
    file: NODE,
    from: 'heldOutSinceMs === undefined ? this.#lease.currentAtMs : heldOutSinceMs',
    to: 'this.#lease.currentAtMs',
  },
  {
    what: 'a node has a share of plans before the others count it',
    file: HEARTBEAT,
    from: "this.#counted = 'awaited';",
    to: "this.#counted = 'yes';",
  },
  {
    what: 'a node shares a plan with itself alone',
    file: HEARTBEAT,
    from: 'const runs = listed.map((node) => node.run).filter((other) => live.has(other));',
    to: 'const runs = [run];',
  },
];
