/** What `http/stalls` measures, at a node: what it writes goes to three PostgreSQL servers first, and to its copy then. */
import { measureStalls } from '../http/stalls.bench.ts';
import type { Part } from '../part.ts';
import { nodeOf, withTrio } from './trio.ts';

export const nodeStallsPart: Part = {
  id: 'cluster/stalls',
  title: 'Longest turn of the event loop of a node by change of the largest shop',
  run: (part) => withTrio(part, (trio) => measureStalls(part, 'cluster/stalls', nodeOf(trio.url))),
};
