/** Reads the list of nodes, for appends and beats. */
import type { NodeBeat } from '../authority.ts';
import type { Row, Statement } from './connection.ts';

export const LIST_NODES: Statement = {
  name: 'rw_nodes_list',
  text: 'SELECT run::text, node, beat, reads_format, address FROM rw_nodes',
};

export const nodesOf = (rows: readonly Row[]): readonly NodeBeat[] =>
  rows.map(([run, node, beat, readsFormat, address]) => ({
    run: String(run),
    node: String(node),
    beat: Number(beat),
    readsFormat: Number(readsFormat),
    address: address === null || address === undefined ? null : String(address),
  }));
