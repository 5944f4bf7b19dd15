/** `/api/coverage`: what live traffic has used (contract section 10.5). */
import { Coverage } from '../../wire/coverage.ts';
import { answerLater, answerSteps } from '../answer.ts';
import { EXAMPLE_COVERAGE } from '../openapi/read-examples.ts';
import { answerDoc, type Route, readRoute } from '../route.ts';

export const COVERAGE_ROUTES: readonly Route[] = [
  readRoute({
    name: 'getCoverage',
    verb: 'GET',
    paths: ['/api/coverage'],
    tag: 'Simulation',
    summary: 'How often live simulations used each record of the live configuration',
    description:
      'Every record is listed, with 0 for what was not used. A record counts from when it was made, or changed in what it matches: a rule in its conditions, a method in its zone and group, a rate table in its bounds, a group in its lists, a zone or subzone in its countries and postal codes. Simulations of a version, of the changeset or of a replay do not count. After a crash up to a minute may be missing. Where there are several nodes, the counts are the sum of all; those of other nodes are up to a minute old.',
    permission: 'read',
    // The counts change while the version stays.
    tagOf: null,
    success: answerDoc('The counts', Coverage, EXAMPLE_COVERAGE),
    handle: ({ shop, dependencies: { coverage } }) =>
      answerLater(
        coverage.results(shop.state).then((made) => () => (made.ok ? answerSteps(made.value) : made)),
      ),
  }),
];
