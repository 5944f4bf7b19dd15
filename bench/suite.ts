/** All parts of the suite, in the order in which they run, and the choice of those that a command line asks for. */
import { barrierPart } from './cluster/barrier.bench.ts';
import { clusterSimulatePart } from './cluster/simulate.bench.ts';
import { nodeStallsPart } from './cluster/stalls.bench.ts';
import { nodeStartPart } from './cluster/start.bench.ts';
import { clusterWritesPart } from './cluster/writes.bench.ts';
import { type BenchOptions, UsageError } from './command-line.ts';
import { otherMethodsPart, patternsPart, rulesPart, shopsPart } from './growth/growth.bench.ts';
import { historyPart } from './growth/history.bench.ts';
import { versionsPart } from './growth/versions.bench.ts';
import { consolePart } from './http/console.bench.ts';
import { heavyCartsPart } from './http/heavy-carts.bench.ts';
import { latencyPart } from './http/latency.bench.ts';
import { profilePart } from './http/profile.bench.ts';
import { shadowPart } from './http/shadow.bench.ts';
import { stallsPart } from './http/stalls.bench.ts';
import { throughputPart } from './http/throughput.bench.ts';
import { tracingPart } from './http/tracing.bench.ts';
import { compilePart } from './micro/compile.bench.ts';
import { editsPart } from './micro/edits.bench.ts';
import { evaluatePart } from './micro/evaluate.bench.ts';
import { groupIndexPart } from './micro/group-index.bench.ts';
import { postalOwnersPart } from './micro/postal-owners.bench.ts';
import { predicatePart } from './micro/predicate.bench.ts';
import { rateFunctionPart } from './micro/rate-function.bench.ts';
import { validatorPart } from './micro/validator.bench.ts';
import type { Part } from './part.ts';
import { coldStartPart } from './store/cold-start.bench.ts';
import { eventLogPart } from './store/event-log.bench.ts';
import { memoryPart } from './store/memory.bench.ts';
import { writesPart } from './store/writes.bench.ts';

export const PARTS: readonly Part[] = [
  predicatePart,
  rateFunctionPart,
  postalOwnersPart,
  groupIndexPart,
  compilePart,
  editsPart,
  evaluatePart,
  validatorPart,
  otherMethodsPart,
  rulesPart,
  patternsPart,
  shopsPart,
  versionsPart,
  historyPart,
  eventLogPart,
  writesPart,
  coldStartPart,
  memoryPart,
  throughputPart,
  latencyPart,
  profilePart,
  heavyCartsPart,
  shadowPart,
  tracingPart,
  stallsPart,
  consolePart,
  clusterSimulatePart,
  clusterWritesPart,
  barrierPart,
  nodeStallsPart,
  nodeStartPart,
];

type PartChoice = Pick<BenchOptions, 'words' | 'ownShop' | 'recordsProfile'>;

/** The parts that the options ask for. Throws `UsageError` when there are none. */
export function chooseParts({ words, ownShop, recordsProfile }: PartChoice): readonly Part[] {
  const possible = PARTS.filter(({ takesShop }) => ownShop === null || takesShop === true);
  const isNamed = ({ id }: Part): boolean => words.every((word) => id.includes(word));
  const named = words.length === 0 && recordsProfile ? [] : possible.filter(isNamed);
  if (named.length === 0 && words.length > 0) {
    const which = ownShop === null ? 'no part' : 'no part that takes --shop';
    throw new UsageError(`${which} holds ${words.join(' and ')}: see --list`);
  }
  return recordsProfile ? [...named.filter((part) => part !== profilePart), profilePart] : named;
}

/** One line for each part. */
export const formatPartList = (parts: readonly Part[]): string =>
  parts
    .map(
      ({ id, title, takesShop }) =>
        `${id.padEnd(24)}${title}${takesShop === true ? ' (takes --shop)' : ''}\n`,
    )
    .join('');
