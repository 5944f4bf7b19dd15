/** Routes for operators; none needs a key (contract section 9). */
import Type from '#typebox';
import { type Outcome, success } from '../../../engine/domain/failure.ts';
import { answerBytes, answerLater, type BytesAnswer } from '../answer.ts';
import type { ProcessPhase } from '../dependencies.ts';
import { answerDoc, type PublicRoute, publicRoute } from '../route.ts';
import { StaticText } from '../static-text.ts';

const json = (status: number, value: unknown): Outcome<BytesAnswer> =>
  answerBytes(status, 'json', JSON.stringify(value));

const Health = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false });

/** Why requests should not be sent here. */
const NOT_READY = {
  starting: 'the service is starting',
  outdated: 'the database cannot be reached, or this node has not caught up with it: see the log of the node',
  failed: 'the service has failed and is about to end: see its log',
  draining: 'the service stops',
} as const satisfies Record<Exclude<ProcessPhase, 'ready'> | 'draining', string>;

const Readiness = Type.Object(
  {
    status: Type.Enum(['ready', ...Object.keys(NOT_READY)]),
    reason: Type.Optional(Type.String({ description: 'Why it is not ready' })),
  },
  { additionalProperties: false },
);

/** Links for a visitor of the service; only pages that exist are listed. */
const PATHS = { docs: '/docs', console: '/console', openapi: '/openapi.json' } as const;

/** Relative, for a proxy that adds a prefix. */
const TO_CONSOLE: BytesAnswer = {
  kind: 'bytes',
  status: 303,
  type: 'html',
  body: '',
  headers: [['Location', PATHS.console.slice(1)]],
};

const path = (description: string) => Type.Optional(Type.String({ description }));

/** All routes of the service, including these. */
interface AllRoutes {
  /** Makes the OpenAPI document. */
  readonly openApi: () => string;
  /** True when a route answers GET at this path. */
  readonly isThere: (path: string) => boolean;
}

export function operationRoutes({ openApi, isThere }: AllRoutes): readonly PublicRoute[] {
  // Made when first asked for: a start need not wait for it.
  const document = new StaticText('json', openApi);
  return [
    publicRoute({
      name: 'getIndex',
      path: '/',
      summary: 'The pages of this service',
      type: 'json',
      success: answerDoc(
        'Paths of this service',
        Type.Object(
          {
            service: Type.Literal('Ratewright'),
            docs: path('The description of the interface, to read and try'),
            console: path('The console'),
            openapi: path('The description of the interface as an OpenAPI document'),
          },
          { additionalProperties: false },
        ),
        { service: 'Ratewright', docs: PATHS.docs, openapi: PATHS.openapi },
      ),
      otherStatuses: { 303: 'A browser, which asks for `text/html`, is sent to the console' },
      handle: (_dependencies, _isDraining, { accept }) => {
        if (/\btext\/html\b/.test(accept) && isThere(PATHS.console)) return success(TO_CONSOLE);
        const links = Object.entries(PATHS).filter(([, link]) => isThere(link));
        return json(200, { service: 'Ratewright', ...Object.fromEntries(links) });
      },
    }),
    publicRoute({
      name: 'getHealth',
      path: '/healthz',
      summary: 'Whether the process is up',
      type: 'json',
      success: answerDoc('It is up', Health, { status: 'ok' }),
      handle: () => json(200, { status: 'ok' }),
    }),
    publicRoute({
      name: 'getReadiness',
      path: '/readyz',
      summary: 'Whether requests should be sent here',
      type: 'json',
      success: answerDoc(
        'A request with a valid key is answered now as it will be a minute later',
        Readiness,
        {
          status: 'ready',
        },
      ),
      otherStatuses: {
        503: 'Starting; cut off from the database; draining before a stop; or about to end because the log failed',
      },
      handle: ({ phase }, isDraining) => {
        const status = isDraining && phase() !== 'failed' ? 'draining' : phase();
        return status === 'ready' ? json(200, { status }) : json(503, { status, reason: NOT_READY[status] });
      },
    }),
    publicRoute({
      name: 'getMetrics',
      path: '/metrics',
      summary: 'Counters, gauges and histograms in the Prometheus text format',
      type: 'metrics',
      success: answerDoc('The metrics', Type.String(), '# TYPE ratewright_up gauge\nratewright_up 1\n'),
      handle: ({ metricsText }) =>
        answerLater(metricsText().then((text) => () => answerBytes(200, 'metrics', text))),
    }),
    publicRoute({
      name: 'getOpenApi',
      path: '/openapi.json',
      summary: 'This description of the interface',
      type: 'json',
      isTagged: true,
      success: answerDoc(
        'An OpenAPI 3.1 document',
        Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
        { openapi: '3.1.0' },
      ),
      handle: (_dependencies, _isDraining, head) => document.answer(head),
    }),
  ];
}
