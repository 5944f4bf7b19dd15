/** Which of two configurations a read is about while a changeset is active (contract section 7). */
import Type from '#typebox';
import { type Outcome, success } from '../../domain/failure.ts';
import type { PlacedConfig, ShopState } from '../../domain/shop-event.ts';
import { NO_CHANGESET } from '../../wire/staging.ts';
import type { Answer } from '../answer.ts';
import { changesetTag, type TagOf, versionTag } from '../entity-tag.ts';
import {
  type QueryParameter,
  queryParameter,
  readRoute,
  type ShopRequest,
  type ShopRoute,
} from '../route.ts';

const VIEWS = Type.Enum(['live', 'staged'], { 'x-accepts': 'live or staged' });

/** The parameter of reads, which show the configuration that the next write would change. */
const VIEW_PARAMETER: Readonly<Record<'view', QueryParameter>> = {
  view: queryParameter(
    VIEWS,
    'The live configuration or the changeset, which is the default while one is active',
  ),
};

/** The parameter of simulations, which show the live configuration unless asked otherwise. */
export const SIMULATED_VIEW = queryParameter(VIEWS, 'The live configuration (default) or the changeset');

/** CONFLICT when the changeset is asked for and none is active. */
function viewedConfig({ config, staging }: ShopState, view: string | undefined): Outcome<PlacedConfig> {
  if (staging === null) return view === 'staged' ? NO_CHANGESET : success(config);
  return success(view === 'live' ? config : staging.config);
}

/** A request for records, with the configuration that it is about. */
interface ConfigRequest extends ShopRequest<unknown> {
  readonly config: PlacedConfig;
}

export type ConfigRouteFields = Omit<Parameters<typeof readRoute>[0], 'handle'> & {
  readonly handle: (request: ConfigRequest) => Outcome<Answer>;
};

const viewTag: TagOf = (shop, query) =>
  shop.state.staging === null || query['view'] === 'live'
    ? versionTag(shop, query)
    : changesetTag(shop, query);

/** A route that reads records of the configuration; it takes `view`. */
export const readConfigRoute = ({ handle, ...fields }: ConfigRouteFields): ShopRoute =>
  readRoute({
    tagOf: viewTag,
    isSpared: true,
    ...fields,
    query: { ...fields.query, ...VIEW_PARAMETER },
    handle: (request) => {
      const viewed = viewedConfig(request.shop.state, request.query['view']);
      return viewed.ok ? handle({ ...request, config: viewed.value }) : viewed;
    },
  });
