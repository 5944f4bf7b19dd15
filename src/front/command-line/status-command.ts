/** `status`: the nodes of a cluster and how current each of them is; of an embedded service, whether it runs. */
import { setTimeout as wait } from 'node:timers/promises';
import { BEAT_MS, IDLE_BEAT_MS, LEASE_MS } from '../../store/cluster/timing.ts';
import type { Authority, NodeBeat } from '../../store/log/authority.ts';
import { readDiskUse } from '../../store/log/lmdb/data-file.ts';
import { withAuthority } from '../../store/node/open-log.ts';
import { isServed } from '../control/control-client.ts';
import { type Command, type CommandInput, columns, JSON_OPTION, printResult } from './command.ts';
import { CommandError } from './exit-code.ts';
import { withLog } from './open-shops.ts';

/** The beats are watched for this long: a node without a beat in that time has no lease. */
const WATCH_MS = LEASE_MS;

export interface NodeStatus extends NodeBeat {
  /** Beats that were seen meanwhile. */
  readonly beats: number;
  /** Milliseconds since its last beat; null when none was seen. */
  readonly lagMs: number | null;
}

export const command: Command = {
  options: { json: JSON_OPTION },
  notes: () =>
    `With a database it watches the beats of the nodes for ${WATCH_MS / 1_000} s. A node beats every ${IDLE_BEAT_MS} ms or more often, and marks its ` +
    `answers as old ${LEASE_MS / 1_000} s after its last one. The exit code is 1 when a node is behind or none runs.\n`,
  async run(input) {
    const { databaseUrl, databaseCopies } = input.settings;
    if (databaseUrl === null) return showEmbedded(input);
    await withAuthority(databaseUrl, databaseCopies, async (authority) => {
      const { id, epoch, writeFormat } = await authority.open();
      const nodes = await watchNodes(authority);
      const lines = [`cluster ${id}, epoch ${epoch}`, ...nodeLines(nodes)];
      printResult(input, { cluster: id, epoch, writeFormat, nodes }, () => lines);
      const behind = nodes.filter(({ lagMs }) => lagMs === null).length;
      if (nodes.length === 0) throw new CommandError('no node runs');
      if (behind > 0) throw new CommandError(`${behind} of ${nodes.length} nodes are behind`);
    });
  },
};

async function showEmbedded(input: CommandInput): Promise<void> {
  const { settings } = input;
  const { dataPath } = settings;
  const shops = await withLog(settings, async (log) => [...log.shopIds()].length);
  const isRunning = await isServed(dataPath);
  const { fileBytes, freeBytes } = await readDiskUse(dataPath);
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  printResult(input, { dataFolder: dataPath, isRunning, shops, fileBytes, freeBytes }, () => [
    `${dataPath}: ${shops} shops, ${megabytes(fileBytes)}, ${megabytes(freeBytes)} free on its disk`,
    isRunning ? 'a server runs on it' : 'no server runs on it',
  ]);
  if (!isRunning) throw new CommandError('no server runs');
}

/** Polls the list of nodes, because it contains no times and the clocks of machines differ. */
async function watchNodes(authority: Pick<Authority, 'nodes'>): Promise<readonly NodeStatus[]> {
  const startMs = performance.now();
  const first = new Map((await authority.nodes()).map((node) => [node.run, node]));
  const changedMs = new Map<string, number>();
  let latest = first;
  while (performance.now() < startMs + WATCH_MS) {
    await wait(BEAT_MS);
    const listed = new Map((await authority.nodes()).map((node) => [node.run, node]));
    for (const [run, { beat }] of listed)
      if (beat !== (latest.get(run)?.beat ?? beat)) changedMs.set(run, performance.now());
    latest = listed;
  }
  return [...latest.values()].map((node) => {
    const atMs = changedMs.get(node.run);
    const lagMs = atMs === undefined ? null : Math.round(performance.now() - atMs);
    return { ...node, beats: node.beat - (first.get(node.run)?.beat ?? node.beat), lagMs };
  });
}

function nodeLines(nodes: readonly NodeStatus[]): string[] {
  const head = ['node', 'run', 'beat', 'lag', 'state'];
  const rows = nodes
    .toSorted((a, b) => (a.node < b.node ? -1 : 1))
    .map(({ node, run, beat, lagMs }) => [
      node,
      run.slice(0, 8),
      String(beat),
      lagMs === null ? `> ${WATCH_MS} ms` : `${lagMs} ms`,
      lagMs === null ? 'behind' : 'current',
    ]);
  return columns([head, ...rows]);
}
