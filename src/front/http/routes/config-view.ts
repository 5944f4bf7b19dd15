/** The parameter `view`: the live configuration or the active changeset (contract section 7). */
import { type Outcome, success } from '../../../engine/domain/failure.ts';
import type { PlacedConfig, ShopState } from '../../../engine/domain/shop-event.ts';
import { NO_CHANGESET, View } from '../../../engine/wire/staging.ts';
import type { Answer } from '../answer.ts';
import { viewTag } from '../entity-tag.ts';
import {
  type QueryParameter,
  queryParameter,
  readRoute,
  type ShopRequest,
  type ShopRoute,
} from '../route.ts';

/** For reads, which by default show the configuration that the next write would change. */
const VIEW_PARAMETER: Readonly<Record<'view', QueryParameter>> = {
  view: queryParameter(
    View,
    'The live configuration or the changeset, which is the default while one is active',
  ),
};

/** For simulations, which by default use the live configuration. */
export const SIMULATED_VIEW = queryParameter(View, 'The live configuration (default) or the changeset');

/** The configuration to read; CONFLICT for `staged` without an active changeset. */
function viewedConfig({ config, staging }: ShopState, view: string | undefined): Outcome<PlacedConfig> {
  if (staging === null) return view === 'staged' ? NO_CHANGESET : success(config);
  return success(view === 'live' ? config : staging.config);
}

/** A request for records, with the configuration to read them from. */
interface ConfigRequest extends ShopRequest<unknown> {
  readonly config: PlacedConfig;
}

export type ConfigRouteFields = Omit<Parameters<typeof readRoute>[0], 'handle'> & {
  readonly handle: (request: ConfigRequest) => Outcome<Answer>;
};

/** A route that reads records of the configuration; it takes `view`. */
export const readConfigRoute = ({ handle, ...fields }: ConfigRouteFields): ShopRoute =>
  readRoute({
    tagOf: viewTag,
    ...fields,
    query: { ...fields.query, ...VIEW_PARAMETER },
    handle: (request) => {
      const viewed = viewedConfig(request.shop.state, request.query['view']);
      return viewed.ok ? handle({ ...request, config: viewed.value }) : viewed;
    },
  });
