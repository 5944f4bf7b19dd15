/** All parts of the suite, in the order in which they run. */
import { otherMethodsPart, patternsPart, rulesPart, shopsPart } from './growth/growth.bench.ts';
import { compilePart } from './micro/compile.bench.ts';
import { evaluatePart } from './micro/evaluate.bench.ts';
import { groupIndexPart } from './micro/group-index.bench.ts';
import { postalTriePart } from './micro/postal-trie.bench.ts';
import { predicatePart } from './micro/predicate.bench.ts';
import { rateFunctionPart } from './micro/rate-function.bench.ts';
import { validatorPart } from './micro/validator.bench.ts';
import type { Part } from './part.ts';

export const PARTS: readonly Part[] = [
  predicatePart,
  rateFunctionPart,
  postalTriePart,
  groupIndexPart,
  compilePart,
  evaluatePart,
  validatorPart,
  otherMethodsPart,
  rulesPart,
  patternsPart,
  shopsPart,
];
