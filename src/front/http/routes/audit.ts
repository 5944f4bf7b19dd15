/** `/api/audit`: who changed keys, settings, plan, secrets and changesets (contract section 12.3). */

import { Id } from '../../../engine/domain/schema.ts';
import { auditAnswer } from '../../../engine/wire/answer-schemas.ts';
import { answerValue } from '../answer.ts';
import { EXAMPLE_AUDIT_ENTRY } from '../openapi/read-examples.ts';
import { answerDoc, queryParameter, type Route, readRoute } from '../route.ts';
import { limitParameter } from './record-list.ts';

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;

export const AUDIT_ROUTES: readonly Route[] = [
  readRoute({
    name: 'listAudit',
    verb: 'GET',
    paths: ['/api/audit'],
    tag: 'Audit',
    summary: 'Who changed keys, settings, plan, secrets and changesets, newest first',
    description:
      'Keys made, changed and revoked, settings and plan of the shop, secrets of carriers (never their value), changesets ' +
      'entered, promoted, forced and discarded. A write that changes nothing is no entry. Writes of the configuration are in ' +
      '`/api/versions`. Entries are kept as long as versions; those before the first release that kept them are not there.',
    permission: 'admin',
    isConfiguration: false,
    query: {
      limit: limitParameter(LIMIT_MAX, `Entries of the page (${LIMIT_DEFAULT})`),
      cursor: queryParameter(Id, 'The id of an entry: the page continues with older ones'),
    },
    success: answerDoc('One page of the audit', auditAnswer, {
      entries: [EXAMPLE_AUDIT_ENTRY],
      nextCursor: null,
    }),
    handle: ({ shop, query }) => {
      const limit = query['limit'] === undefined ? LIMIT_DEFAULT : Number(query['limit']);
      const page = shop.audit({ limit, cursor: query['cursor'] ?? null });
      return page.ok ? answerValue(page.value) : page;
    },
  }),
];
