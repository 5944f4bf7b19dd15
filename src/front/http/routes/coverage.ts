/** `/api/coverage`: which records live simulations have used, and what they were answered (contract sections 10.5 and 12.8). */
import { Coverage } from '../../../engine/wire/coverage.ts';
import { answerLater, answerValue } from '../answer.ts';
import { EXAMPLE_COVERAGE } from '../openapi/read-examples.ts';
import { answerDoc, type Route, readRoute } from '../route.ts';

export const COVERAGE_ROUTES: readonly Route[] = [
  readRoute({
    name: 'getCoverage',
    verb: 'GET',
    paths: ['/api/coverage'],
    tag: 'Simulation',
    summary:
      'How often live simulations used each record of the live configuration, and what they were answered by day',
    description:
      'Every record is listed, unused ones with 0. The count of a record starts when it is created, or when a field that ' +
      'decides what it matches is changed: the conditions of a rule, the zone or group of a method, the bounds of a rate ' +
      'table, the lists of a group, the countries or postal codes of a zone or subzone. Simulations of a version, of the ' +
      'changeset or of a replay do not count. After a crash, up to a minute may be missing. With several nodes, the counts ' +
      'are the sum over all; those of other nodes are up to a minute old. `days` tells how many simulations each day had, and ' +
      'the median of their cheapest rates.',
    permission: 'read',
    // The counts change while the version stays.
    success: answerDoc('The counts', Coverage, EXAMPLE_COVERAGE),
    handle: ({ shop, dependencies: { coverage } }) =>
      answerLater(
        coverage.results(shop.state).then((made) => () => (made.ok ? answerValue(made.value) : made)),
      ),
  }),
];
