/**
 * The peers of the bench give the same answers as the service to the same carts: what is compared is the
 * same work. Their packages are no dependency of the project, so without them there is nothing to test.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { request } from 'undici';
import type { Listening } from '../../bench/http/measured-server.ts';
import { arePeersInstalled, buildPeers, PEERS, type Peer, peerScript } from '../../bench/peer-install.ts';
import { type Child, ChildProcesses } from '../../bench/process/child-processes.ts';
import { makeLarge } from '../../bench/profiles/large.ts';
import { makePostal } from '../../bench/profiles/postal.ts';
import { bodiesOf, type Profile } from '../../bench/profiles/profile.ts';
import { makeSmall } from '../../bench/profiles/small.ts';
import { makeTypical } from '../../bench/profiles/typical.ts';
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import { evaluate } from '../../src/engine/evaluate/evaluate.ts';
import type { SimulateAnswer } from '../../src/engine/wire/answer.ts';

const KEY = 'rw_peer_key_0123456789abcdef0123456789ab';
const skip = arePeersInstalled()
  ? false
  : 'the peers are not installed: npm run bench -- http throughput --peers';

const children = new ChildProcesses();
const folder = mkdtempSync(join(tmpdir(), 'ratewright-peers-'));
after(async () => {
  await children.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

async function answers(port: number, bodies: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const body of bodies) {
    const { statusCode, body: answer } = await request(`http://127.0.0.1:${port}/api/simulate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body,
    });
    const json: unknown = await answer.json();
    assert.equal(statusCode, 200, JSON.stringify(json));
    found.push(json);
  }
  return found;
}

function ownAnswers({ config, settings, requests }: Profile): unknown[] {
  const shop = compileShop(config, settings);
  return requests.map((cart) => {
    const outcome = evaluate(shop, cart, Date.now());
    assert.ok(outcome.ok);
    return JSON.parse(outcome.value) as unknown;
  });
}

/** Enough of a profile's carts to meet each of its rules. */
const some = (profile: Profile): Profile => ({ ...profile, requests: profile.requests.slice(0, 120) });

/** What the answer of a peer shares with that of the service: the rates alone where it has traces of its own. */
const sharedBy = ({ id }: Peer, all: readonly unknown[]): unknown =>
  id === 'peer-1' || id === 'peer-2'
    ? all
    : (all as readonly SimulateAnswer[]).map(({ rates, zone }) => ({ rates, zone }));

async function startPeer(peer: Peer, shopFile: string): Promise<{ child: Child; port: number }> {
  const child = children.startNode(peer.id, peerScript(peer), [shopFile, KEY], {
    role: 'any',
    hasChannel: true,
  });
  const { port } = (await child.message()) as Listening;
  return { child, port };
}

test('the peers answer the carts of every profile as the service does', { skip }, async (t) => {
  buildPeers();
  for (const profile of [makeSmall(), makeTypical(), makeLarge(), makePostal(2_000)].map(some)) {
    const shopFile = join(folder, `${profile.name}.json`);
    writeFileSync(shopFile, JSON.stringify({ settings: profile.settings, config: profile.config }));
    const expected = ownAnswers(profile);
    for (const peer of PEERS) {
      await t.test(`${peer.id}, ${profile.name}`, async () => {
        const { child, port } = await startPeer(peer, shopFile);
        const found = await answers(port, bodiesOf(profile));
        assert.deepEqual(sharedBy(peer, found), sharedBy(peer, expected));
        const traced = found.filter((answer) => 'traces' in (answer as object)).length;
        assert.equal(traced, peer.id === 'peer-4' ? found.length : 0);
        await child.stop();
      });
    }
  }
});

test('a peer refuses a request without its key', { skip }, async () => {
  const shopFile = join(folder, 'small.json');
  writeFileSync(shopFile, JSON.stringify(makeSmall()));
  const { child, port } = await startPeer(PEERS[1], shopFile);
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodiesOf(makeSmall())[0] ?? '',
  });
  await body.dump();
  assert.equal(statusCode, 401);
  await child.stop();
});
