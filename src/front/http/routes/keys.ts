/** `/api/keys`: the keys of a shop. A secret is made here, answered once and never stored (contract section 2). */

import { newKeySecret, printOf } from '../../../base/secrets/key-secret.ts';
import type { ApiKey } from '../../../engine/domain/api-key.ts';
import { notFound } from '../../../engine/domain/failure.ts';
import {
  currentKeyAnswer,
  keyAnswer,
  keysAnswer,
  newKeyAnswer,
} from '../../../engine/wire/answer-schemas.ts';
import { currentKeyView, keyView } from '../../../engine/wire/record-view.ts';
import { KeyCreate, KeyUpdate } from '../../../engine/wire/write-bodies.ts';
import type { KeyRing } from '../../../shop/reader/shop-access.ts';
import { answerLater, answerValue, planWrite } from '../answer.ts';
import { BAD_KEY } from '../failure-answer.ts';
import { EXAMPLE_CURRENT_KEY, EXAMPLE_KEY, EXAMPLE_KEY_END } from '../openapi/examples.ts';
import { answerDoc, type Route, readRoute, writeRoute } from '../route.ts';
import { deleteRoute, ID_PARAMETER } from './record-routes.ts';

const tag = 'Keys';

/** Answers with views of these keys; a node of a cluster first reads when other nodes used them. */
function answerWithUses(
  keys: KeyRing,
  shown: readonly ApiKey[],
  shape: (views: readonly ReturnType<typeof keyView>[]) => unknown,
) {
  const answer = () => answerValue(shape(shown.map((key) => keyView(key, keys.lastUsedAtMs(key.id)))));
  const reading = keys.refreshUses?.(shown.map(({ id }) => id)) ?? null;
  return reading === null ? answer() : answerLater(reading.then(() => answer));
}

export const KEY_ROUTES: readonly Route[] = [
  readRoute({
    name: 'listKeys',
    verb: 'GET',
    paths: ['/api/keys'],
    tag,
    summary: 'The keys of the shop, without their secrets',
    permission: 'admin',
    isConfiguration: false,
    success: answerDoc('The keys', keysAnswer, { keys: [EXAMPLE_KEY] }),
    handle: ({ shop, dependencies: { keys } }) =>
      answerWithUses(keys, shop.state.keys, (views) => ({ keys: views })),
  }),
  readRoute({
    name: 'getCurrentKey',
    verb: 'GET',
    paths: ['/api/keys/current'],
    tag,
    summary: 'The key of the request, without its secret',
    permission: 'simulate',
    isConfiguration: false,
    success: answerDoc('The key', currentKeyAnswer, { key: EXAMPLE_CURRENT_KEY }),
    handle: ({ shop, grant }) => {
      const key = shop.state.keys.find(({ id }) => id === grant.keyId);
      if (grant.keyId === null) return notFound('key', 'current');
      // The key was revoked while its request waited for the shop.
      return key === undefined ? BAD_KEY : answerValue({ key: currentKeyView(key) });
    },
  }),
  readRoute({
    name: 'getKey',
    verb: 'GET',
    paths: ['/api/keys/:id'],
    tag,
    summary: 'One key, without its secret',
    permission: 'admin',
    isConfiguration: false,
    target: 'key',
    success: answerDoc('The key', keyAnswer, { key: EXAMPLE_KEY }),
    handle: ({ id, shop, dependencies: { keys } }) => {
      const key = shop.state.keys.find((each) => each.id === id);
      if (key === undefined) return notFound('key', id);
      return answerWithUses(keys, [key], ([view]) => ({ key: view }));
    },
  }),
  writeRoute({
    name: 'createKey',
    verb: 'POST',
    paths: ['/api/keys'],
    tag,
    summary: 'Create a key; its secret is in this answer only',
    permission: 'admin',
    isConfiguration: false,
    body: {
      schema: KeyCreate,
      examples: {
        checkout: { label: 'Checkout', permission: 'simulate' },
        contractor: { label: 'Contractor', permission: 'read', expiresAt: EXAMPLE_KEY_END },
      },
    },
    success: answerDoc(
      'The new key and its secret',
      newKeyAnswer,
      { key: EXAMPLE_KEY, secret: `${EXAMPLE_KEY.prefix}aPq2VvT7mL0sJhB4nYdR8wCfXuGeKi1oQzN5t` },
      201,
    ),
    handle: ({ body }) => {
      const secret = newKeySecret();
      const command = {
        kind: 'createKey',
        label: body.label,
        permission: body.permission,
        expiresAt: body.expiresAt,
        ...printOf(secret),
      } as const;
      return planWrite(command, 'key', ({ key }) => ({ key: keyView(key, null), secret }), true);
    },
  }),
  writeRoute({
    name: 'updateKey',
    verb: 'PUT',
    paths: ['/api/keys', '/api/keys/:id'],
    tag,
    summary: 'Change the label or the end of a key',
    description: 'The last admin key without an end cannot be given one.',
    permission: 'admin',
    isConfiguration: false,
    target: 'key',
    query: ID_PARAMETER,
    body: { schema: KeyUpdate, examples: { end: { expiresAt: EXAMPLE_KEY_END } } },
    success: answerDoc('The key as it is now', keyAnswer, {
      key: { ...EXAMPLE_KEY, expiresAt: EXAMPLE_KEY_END },
    }),
    handle: ({ id, body, dependencies: { keys } }) =>
      planWrite({ kind: 'updateKey', id, body }, 'key', ({ key }) => ({
        key: keyView(key, keys.lastUsedAtMs(key.id)),
      })),
  }),
  deleteRoute({
    name: 'revokeKey',
    paths: ['/api/keys', '/api/keys/:id'],
    tag,
    summary: 'Revoke a key at once',
    description: 'The last admin key of a shop, and the last one without an end, cannot be revoked.',
    permission: 'admin',
    isConfiguration: false,
    target: 'key',
    done: 'It is revoked',
    example: EXAMPLE_KEY,
    command: (id) => ({ kind: 'revokeKey', id }),
  }),
];
