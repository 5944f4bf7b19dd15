/** All routes of the API, of callbacks and of operations, made for the settings of a service. */
import { openApiDocument } from './openapi/openapi.ts';
import type { Route } from './route.ts';
import { AUDIT_ROUTES } from './routes/audit.ts';
import { BLENDED_RATE_ROUTES } from './routes/blended-rates.ts';
import { checkRoutes } from './routes/checks.ts';
import { configRoutes } from './routes/config.ts';
import { COVERAGE_ROUTES } from './routes/coverage.ts';
import { GROUP_ROUTES } from './routes/groups.ts';
import { KEY_ROUTES } from './routes/keys.ts';
import { METHOD_ROUTES } from './routes/methods.ts';
import { operationRoutes } from './routes/operations.ts';
import { OPERATOR_ROUTES } from './routes/operator.ts';
import { consoleRoutes, docsRoutes } from './routes/pages.ts';
import { RULE_ROUTES } from './routes/rules.ts';
import { SHOP_ROUTES } from './routes/shop.ts';
import { shopifyRoute } from './routes/shopify.ts';
import { simulateRoute } from './routes/simulate.ts';
import { simulateBatchRoute } from './routes/simulate-batch.ts';
import { STAGING_ROUTES } from './routes/staging.ts';
import { sweepRoute } from './routes/sweep.ts';
import { versionRoutes } from './routes/versions.ts';
import { vocabularyRoute } from './routes/vocabulary.ts';
import { ZONE_ROUTES } from './routes/zones.ts';

export function createRouteTable(settings: {
  readonly itemsMax: number;
  /** `off` leaves the console out. */
  readonly console?: 'on' | 'off';
}): readonly Route[] {
  const { itemsMax } = settings;
  const routes: readonly Route[] = [
    ...ZONE_ROUTES,
    ...GROUP_ROUTES,
    ...METHOD_ROUTES,
    ...RULE_ROUTES,
    ...BLENDED_RATE_ROUTES,
    ...checkRoutes(itemsMax),
    ...COVERAGE_ROUTES,
    sweepRoute(itemsMax),
    ...configRoutes(itemsMax),
    ...versionRoutes(itemsMax),
    ...STAGING_ROUTES,
    simulateRoute(itemsMax),
    simulateBatchRoute(itemsMax),
    vocabularyRoute(itemsMax),
    shopifyRoute(itemsMax),
    ...SHOP_ROUTES,
    ...KEY_ROUTES,
    ...AUDIT_ROUTES,
    ...OPERATOR_ROUTES,
    ...operationRoutes({
      openApi: () => JSON.stringify(openApiDocument(routes)),
      isThere: (path) => routes.some(({ verb, paths }) => verb === 'GET' && paths.includes(path)),
    }),
    ...docsRoutes(),
    ...(settings.console === 'off' ? [] : consoleRoutes()),
  ];
  return routes;
}
