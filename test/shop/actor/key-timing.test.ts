/**
 * Whether the time of a look-up tells how much of a guessed key is right. A key that shares all but its last
 * two characters with a good one and a key that shares nothing are looked up in pairs, in random order, and a sign
 * test counts which took longer: it takes neither outliers nor drift of the machine for a signal.
 *
 * Times are asserted in the long form only, `RATEWRIGHT_KEY_TIMINGS=1000000 npm test -- key-timing`. What
 * always holds is why there is no signal: a guess reaches the log as a digest and nothing else.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { newKeySecret, printOf, secretDigest } from '../../../src/base/secrets/key-secret.ts';
import { LiveKeyRing } from '../../../src/shop/actor/key-ring.ts';
import { accepted, createShop, openStage, request, SHOP, type Stage } from './shop-stage.ts';

const pairs = Number(process.env['RATEWRIGHT_KEY_TIMINGS'] ?? 0);
/** Standard deviations of a fair coin; a fair one is beyond this once in 16,000 runs. */
const DEVIATIONS_MAX = 4;

async function openWithKey(): Promise<{ stage: Stage; secret: string; ring: LiveKeyRing }> {
  const stage = openStage();
  const shop = await createShop(stage, SHOP);
  const secret = newKeySecret();
  const command = { kind: 'createKey', label: 'K', permission: 'read', ...printOf(secret) } as const;
  accepted(await shop.write(request(command)));
  const { log, clock } = stage;
  return {
    stage,
    secret,
    ring: new LiveKeyRing({ log, clock, logger: silentLogger, keysCachedMax: 100 }),
  };
}

/** The secret with another last character. */
const nearly = (secret: string): string => secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');

test('the log sees only the digest of a guess, which does not reveal how close the guess was', async () => {
  const { stage, secret, ring } = await openWithKey();
  const asked: Buffer[] = [];
  const findKey = stage.log.findKey.bind(stage.log);
  stage.log.findKey = (digest) => {
    asked.push(Buffer.from(digest));
    return findKey(digest);
  };
  const guesses = [nearly(secret), secret.slice(0, 20) + 'A'.repeat(secret.length - 20), newKeySecret()];
  for (const guess of guesses) assert.equal(ring.find(`Bearer ${guess}`), null);
  assert.deepEqual(asked, guesses.map(secretDigest));
  const right = secretDigest(secret);
  // 32 bytes of which each is the right one once in 256 times: more than 4 by chance is out of the question.
  for (const digest of asked) assert.ok(digest.filter((byte, at) => byte === right[at]).length <= 4);
});

test('a nearly right key takes as long as a wholly wrong one', {
  skip: pairs === 0 ? 'times are measured with RATEWRIGHT_KEY_TIMINGS=<pairs> only' : false,
}, async (context) => {
  const { secret, ring } = await openWithKey();
  // Both guesses are bytes in places of their own, and texts only right before they are looked up, so that in all but
  // their characters they come about alike: even which of two texts was made last tells in a million look-ups.
  const near = Buffer.from(`Bearer ${secret}`);
  const far = Buffer.from(near);
  const secretAt = near.length - secret.length;
  const guess = (): void => {
    const text = newKeySecret();
    far.write(text, secretAt);
    near.write(text.slice(-2), near.length - 2);
  };
  const orders = randomBytes(pairs);
  const take = (bytes: Buffer): bigint => {
    const header = bytes.toString('latin1');
    const startNs = process.hrtime.bigint();
    ring.find(header);
    return process.hrtime.bigint() - startNs;
  };
  let longer = 0;
  let differing = 0;
  for (let pair = -10_000; pair < pairs; pair++) {
    guess();
    const nearFirst = ((orders[Math.max(0, pair)] ?? 0) & 1) === 0;
    const first = take(nearFirst ? near : far);
    const second = take(nearFirst ? far : near);
    // The first ones warm up; and by chance the near one may be the key itself.
    if (pair < 0 || first === second || near.toString('latin1', secretAt) === secret) continue;
    differing++;
    if (first > second === nearFirst) longer++;
  }
  const deviations = (longer - differing / 2) / Math.sqrt(differing / 4);
  const found = `the nearly right key took longer in ${longer} of ${differing}, ${deviations.toFixed(2)} deviations`;
  assert.ok(Math.abs(deviations) < DEVIATIONS_MAX, found);
  context.diagnostic(found);
});
