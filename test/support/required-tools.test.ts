import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonToSkip, requiredTools } from './required-tools.ts';

test('what is missing is a reason to skip, and a failure where it is required', () => {
  const environment = { RATEWRIGHT_TEST_REQUIRE: 'postgres' };
  assert.equal(reasonToSkip('postgres', 'there is none', {}), 'there is none');
  assert.equal(reasonToSkip('browser', 'there is none', environment), 'there is none');
  assert.throws(
    () => reasonToSkip('postgres', 'there is none', environment),
    /there is none; it is required/,
  );
  assert.equal(reasonToSkip('postgres', false, environment), false);
});

test('several tools may be required, PostgreSQL in CI unless told otherwise, and nothing that has no meaning', () => {
  const required = (environment: Parameters<typeof requiredTools>[0]) => [...requiredTools(environment)];
  assert.deepEqual(required({}), []);
  assert.deepEqual(required({ RATEWRIGHT_TEST_REQUIRE: 'postgres,browser' }), ['postgres', 'browser']);
  assert.deepEqual(required({ CI: 'true' }), ['postgres']);
  assert.deepEqual(required({ CI: 'true', RATEWRIGHT_TEST_REQUIRE: '' }), []);
  assert.throws(
    () => required({ RATEWRIGHT_TEST_REQUIRE: 'postgresql' }),
    /RATEWRIGHT_TEST_REQUIRE=postgresql/,
  );
});
