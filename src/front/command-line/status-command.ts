/** `status`: the service on the data folder, and of a cluster all nodes and how current each of them is. */
import { IDLE_BEAT_MS, LEASE_MS } from '../../store/cluster/timing.ts';
import type { Schemas } from '../client/client.ts';
import { type Command, columns, JSON_OPTION, printResult } from './command.ts';
import { CommandError } from './exit-code.ts';
import { answered, SERVICE_OPTIONS, withOperator } from './find-service.ts';
import { counted } from './terminal.ts';

type Nodes = NonNullable<Schemas['OperatorStatus']['cluster']>['nodes'];

export const command: Command = {
  options: { ...SERVICE_OPTIONS, json: JSON_OPTION },
  notes: () =>
    `A node of a cluster beats every ${IDLE_BEAT_MS} ms or more often, and marks its answers as old ${LEASE_MS / 1_000} s after its\n` +
    'last beat: it is behind then. The exit code is 1 when a node is behind, the database cannot be\n' +
    'reached, or no server runs.\n',
  async run(input) {
    await withOperator(input, async (operator, isOwn) => {
      const { cluster, ...status } = answered(await operator.status());
      // A service that only runs for this command is no node that anybody started.
      const nodes = cluster?.nodes.filter(({ isThis }) => !(isOwn && isThis)) ?? [];
      const shown = { isRunning: !isOwn, ...status, cluster: cluster && { ...cluster, nodes } };
      printResult(input, shown, () => [
        ...folderLines(shown),
        ...(cluster === null ? [] : [`cluster ${cluster.id}, epoch ${cluster.epoch}`, ...nodeLines(nodes)]),
      ]);
      if (shown.isDatabaseReached === false) {
        throw new CommandError('the database cannot be reached, which knows the nodes');
      }
      const behind = nodes.filter(({ isCurrent }) => !isCurrent).length;
      if (behind > 0) throw new CommandError(`${behind} of ${nodes.length} nodes are behind`);
      if (cluster === null ? isOwn : nodes.length === 0) throw new CommandError('no server runs');
    });
  },
};

type Shown = Omit<Schemas['OperatorStatus'], 'cluster'> & { readonly isRunning: boolean };

function folderLines({
  dataFolder,
  shops,
  fileBytes,
  freeBytes,
  isRunning,
  version,
  phase,
}: Shown): string[] {
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  const held = [...(shops === null ? [] : [counted(shops, 'shop')]), megabytes(fileBytes)].join(', ');
  return [
    `${dataFolder}: ${held}, ${megabytes(freeBytes)} free on its disk`,
    isRunning ? `a server runs on it: version ${version}, ${phase}` : 'no server runs on it',
  ];
}

function nodeLines(nodes: Nodes): string[] {
  const head = ['node', 'run', 'beat', 'lag', 'state'];
  const rows = nodes
    .toSorted((a, b) => (a.node < b.node ? -1 : 1))
    .map(({ node, run, beat, lagMs, isCurrent }) => [
      node,
      run.slice(0, 8),
      String(beat),
      lagMs === null ? 'no beat seen' : `${Math.round(lagMs)} ms`,
      isCurrent ? 'current' : 'behind',
    ]);
  return columns([head, ...rows]);
}
