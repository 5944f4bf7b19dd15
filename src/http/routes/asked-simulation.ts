/** The query parameters of a simulation, the same for a single request and a batch. */
import Type from '#typebox';
import type { AnswerText } from '../../bytes/answer-text.ts';
import { invalid, type Outcome, success } from '../../domain/failure.ts';
import { ISO_TIME_ACCEPTS, ISO_TIME_PATTERN, parseIsoTime } from '../../domain/iso-time.ts';
import { VersionReference } from '../../domain/version-reference.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SimulationSource } from '../../shop/compiled-configs.ts';
import type { SimulationView } from '../../shop/shop-reader.ts';
import type { AnswerForm } from '../../wire/answer.ts';
import { ownBytes } from '../output.ts';
import type { QueryValues } from '../query-text.ts';
import { queryParameter } from '../route.ts';
import { SIMULATED_VIEW } from './config-view.ts';

const AT_ACCEPTS = `${ISO_TIME_ACCEPTS} (write + as %2B)`;

export const SIMULATION_QUERY = {
  at: queryParameter(
    Type.String({ pattern: ISO_TIME_PATTERN, 'x-accepts': AT_ACCEPTS }),
    'The clock of time conditions; now when absent',
  ),
  view: SIMULATED_VIEW,
  version: queryParameter(VersionReference, 'The configuration of this version'),
  explain: queryParameter(
    Type.Enum(['full'], { 'x-accepts': 'full' }),
    'Adds the steps of each price, what each condition compared, the smallest change that would turn each refusal, and the methods that were not considered. Slower than the plain answer',
  ),
  fields: queryParameter(
    Type.Enum(['rates'], { 'x-accepts': 'rates' }),
    'Answers the rates alone, which is quicker; not together with explain',
  ),
  strict: queryParameter(
    Type.Enum(['true', 'false'], { 'x-accepts': 'true or false' }),
    'Refuse a field that is not known, instead of ignoring it (false)',
    Type.Boolean(),
  ),
};

export interface AskedSimulation extends SimulationView {
  /** The clock of time conditions, ms since the epoch. */
  readonly nowMs: number;
  readonly isStrict: boolean;
}

export const sourceOf = ({ view, version }: QueryValues): SimulationSource =>
  version !== undefined ? { versionId: version } : view === 'staged' ? view : 'live';

export const formOf = ({ explain, fields }: QueryValues): AnswerForm =>
  explain === 'full' ? 'explained' : fields === 'rates' ? fields : 'all';

export function readAsked(query: QueryValues, clock: Clock): Outcome<AskedSimulation> {
  const { at, view, version, explain, fields, strict } = query;
  if (view === 'staged' && version !== undefined) {
    return invalid('query parameters view=staged and version exclude each other');
  }
  if (explain !== undefined && fields !== undefined) {
    return invalid('query parameters fields and explain exclude each other');
  }
  const nowMs = at === undefined ? clock.nowMs() : parseIsoTime(at);
  if (nowMs === null) return invalid(`query parameter at must be ${AT_ACCEPTS}`);
  return success({ source: sourceOf(query), nowMs, form: formOf(query), isStrict: strict === 'true' });
}

/** The bytes of an answer for a caller that keeps them. */
export const bytesOf = (made: Outcome<AnswerText>): Outcome<Uint8Array> =>
  made.ok ? success(ownBytes(made.value)) : made;
