/** A server that is nothing but a relay, and what its operator does. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type Arrival, RelayFleet } from './relay-fleet.ts';

let server: RunningServer;
let fleet: RelayFleet;

const dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-relay-'));
const environment = { MURMURATION_PROFILE: 'relay', MURMURATION_RELAY_PUBLISH_SUBSCRIBERS: 'on' };

beforeAll(async () => {
  server = await startTestServer({ dataDirectory, environment });
  const relay = { actor: `${server.origin}/actor`, inbox: `${server.origin}/inbox` };
  fleet = await RelayFleet.open(await freePort('0.0.0.0'), relay);
});

afterAll(async () => {
  await fleet.close();
  await server.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

async function document(path: string): Promise<unknown> {
  return (await server.fetch(path, { headers: { accept: 'application/activity+json' } })).json();
}

test('it is the actor of the server', async () => {
  const front = await server.fetch('/', { redirect: 'manual' });
  expect([front.status, front.headers.get('location')]).toEqual([303, '/relay/status']);
  const id = `${server.origin}/actor`;
  expect(await document('/actor')).toMatchObject({ id, inbox: `${server.origin}/inbox`, preferredUsername: 'relay' });
  for (const name of ['relay', server.host])
    expect(await document(`/.well-known/webfinger?resource=acct:${name}@${server.host}`)).toMatchObject({
      subject: `acct:relay@${server.host}`,
      links: [{ rel: 'self', href: id }],
    });
});

test('a server waits until it is approved, gets what its filter lets through, and is shown to everybody', async () => {
  const admitted = fleet.follow(1);
  const host = fleet.host(1);
  await until(async () => (await server.run('relay', 'list')).includes(`${host}  pending`));
  expect(await server.run('relay', 'approve', host)).toContain('active');
  expect((await admitted).activity.type).toBe('Accept');

  await server.run('relay', 'add', fleet.host(2));
  await fleet.follow(2);
  expect(await server.run('relay', 'filter', host, '--tags', '#Birds,trees')).toContain('takes tags birds, trees');
  const post = fleet.post(2);
  const tagged = fleet.post(2, { note: { tag: [{ type: 'Hashtag', name: '#birds' }] } });
  for (const each of [post, tagged]) expect(await fleet.send(each, fleet.person(2))).toBe(202);
  await fleet.arrived(1, ({ activity }) => activity.id === tagged.id);
  expect(fleet.at(1).some(({ activity }) => activity.id === post.id)).toBe(false);

  await expect
    .poll(() => server.run('relay', 'list'))
    .toMatch(new RegExp(`^${host}  active, healthy, 0 pending, 1 delivered, 1 filtered`, 'm'));
  const status = await document('/relay/status.json');
  expect(status).toMatchObject({ inbox: `${server.origin}/inbox`, subscribers: { active: 2, pending: 0 } });
  const page = await (await server.fetch('/relay/status')).text();
  expect(page).toContain(`<code>${server.origin}/inbox</code>`);
  expect(page).toContain(`<li>${host} (receiving)</li>`);
  const nodeInfo = await document('/nodeinfo/2.0');
  expect(nodeInfo).toMatchObject({ usage: { users: { total: 2 } } });
});

test('the doctor says which signature a server refuses', async () => {
  await server.run('relay', 'add', fleet.host(3));
  await fleet.follow(3);
  fleet.answers = ({ headers }) => (String(headers.signature).includes('host') ? 202 : 401);
  const found = await server.run('relay', 'doctor', fleet.host(3));
  expect(found.split('\n').filter((line) => line !== '')).toEqual([
    'ok   subscription: active.',
    `ok   actor: ${fleet.serverActor(3)}`,
    'ok   signature for this host: accepted with 202.',
    expect.stringMatching(/^FAIL signature for all hosts: answered 401: it refuses the signature/),
    'ok   signature by RFC 9421: not taken, and not needed.',
  ]);
  // Who waits is not told that it was accepted.
  void fleet.follow(15);
  await until(async () => (await server.run('relay', 'list')).includes(`${fleet.host(15)}  pending`));
  expect(await server.run('relay', 'doctor', fleet.host(15))).toBe(
    `FAIL subscription: pending.\nok   actor: ${fleet.serverActor(15)}\n`,
  );
  expect(fleet.at(15)).toEqual([]);
  await server.run('relay', 'remove', fleet.host(15));
});

test('a server that is removed gets no more, and one that is refused is told why', async () => {
  await server.run('relay', 'add', fleet.host(4));
  await fleet.follow(4);
  fleet.answers = () => 202;
  await server.run('relay', 'reject', fleet.host(4), '--reason', 'Too loud.');
  const { activity } = await fleet.arrived(4, ({ activity: { type } }) => type === 'Reject');
  expect(activity.summary).toBe('Too loud.');
  await server.run('relay', 'remove', fleet.host(4));
  expect(await server.run('relay', 'list')).not.toContain(fleet.host(4));
  expect(await server.run('relay', 'prune', '--dry-run')).toContain('All subscribers have answered.');
});

test('the subscribers of another relay are taken over, and send and get at once', async () => {
  const path = join(server.dataDirectory, 'export.json');
  const subscriptions = [5, 6].map((number) => ({
    domain: fleet.host(number),
    inbox_url: `http://${fleet.host(number)}/inbox`,
    actor_id: fleet.serverActor(number),
    activity_id: `http://${fleet.host(number)}/follows/1`,
  }));
  writeFileSync(path, JSON.stringify({ subscriptions }));
  expect(await server.run('relay', 'import', path)).toContain('2 of 2 subscribers');
  expect(await server.run('relay', 'import', path)).toContain('0 of 2 subscribers');
  fleet.answers = () => 202;
  const post = fleet.post(5);
  expect(await fleet.send(post, fleet.person(5))).toBe(202);
  await fleet.arrived(6, ({ activity }) => activity.id === post.id);
  writeFileSync(path, '{"subscriptions": 1}');
  await expect(server.run('relay', 'import', path)).rejects.toThrow('no export of a relay');
});

test('followers of its actor, and what Redis keeps for pub-relay, are taken over in their own forms', async () => {
  const path = join(server.dataDirectory, 'export.json');
  const of = (number: number) => ({
    inbox_url: `http://${fleet.host(number)}/inbox`,
    follow_actor_id: fleet.serverActor(number),
    follow_id: `http://${fleet.host(number)}/follows/1`,
  });
  const follower = (number: number, isMutual: boolean) => ({
    domain: fleet.host(number),
    inbox_url: `http://${fleet.host(number)}/inbox`,
    actor_id: fleet.serverActor(number),
    activity_id: `http://${fleet.host(number)}/follows/1`,
    // Go leaves out what is false.
    ...(isMutual && { mutually_follow: true }),
  });
  writeFileSync(path, JSON.stringify({ subscriptions: null, followers: [follower(7, true), follower(8, false)] }));
  expect(await server.run('relay', 'import', path)).toContain('1 of 1 subscribers');
  const lines = [
    { ...of(9), state: 'Subscribed' },
    { ...of(10), state: 'Pending' },
    { ...of(11), state: 'Failed' },
    // Subscribed to a version that did not keep these.
    { ...of(12), state: 'Subscribed', follow_actor_id: '', follow_id: '' },
    // Waits for the staff of Activity-Relay.
    {
      inbox_url: `http://${fleet.host(13)}/inbox`,
      activity_id: 'http://x.example/1',
      type: 'Follow',
      object: 'Public',
    },
  ];
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(await server.run('relay', 'import', path)).toContain('3 of 3 subscribers');
  const post = fleet.post(5);
  await fleet.send(post, fleet.person(5));
  await fleet.arrived(9, ({ activity }) => activity.id === post.id);
  const { activity } = await fleet.arrived(7, ({ activity: { type } }) => type === 'Announce');
  expect(activity.object).toBe(post.object.id);
});

test('the export of Activity-Relay is read as it comes: after its log, without what it does not know', async () => {
  const path = join(server.dataDirectory, 'export.json');
  const [old, elsewhere] = [fleet.host(14), 'https://elsewhere.example/inbox'];
  const exported = {
    relayConfig: { manuallyAccept: true },
    limitedDomains: ['quiet.example'],
    blockedDomains: ['rude.example'],
    subscriptions: [
      { domain: old, inbox_url: `http://${old}/inbox` },
      {
        domain: 'a.example',
        inbox_url: elsewhere,
        activity_id: 'https://a.example/1',
        actor_id: 'https://a.example/actor',
      },
      { domain: 'b.example', inbox_url: 'b.example/inbox' },
    ],
  };
  const log = 'time="2026-11-28T10:00:00Z" level=warning msg="Config file not found. Using environment variables."';
  writeFileSync(path, `${log}\n${JSON.stringify(exported)}\n`);
  const said = await server.run('relay', 'import', path);
  expect(said).toContain('1 of 3 subscribers');
  expect(said).toContain(`Left out: ${elsewhere}: it is on another host than its actor.`);
  expect(said).toContain('Left out: b.example/inbox: it is no address');
  expect(said).toMatch(/blocked rude\.example[\s\S]*nothing of quiet\.example/);
  const post = fleet.post(5);
  await fleet.send(post, fleet.person(5));
  await fleet.arrived(14, ({ activity }) => activity.id === post.id);
  // Its own actor ends a subscription of which no Follow is known.
  expect(await server.run('relay', 'list')).toContain(`${old}  active`);
  const actor = fleet.serverActor(14);
  const undone = { id: `${actor}/follows/1`, type: 'Follow', actor };
  await fleet.send({ id: `${actor}/undos/1`, type: 'Undo', actor, object: undone }, actor);
  expect(await server.run('relay', 'list')).not.toContain(`${old}  `);
  writeFileSync(path, '{"relayConfig":{}}');
  expect(await server.run('relay', 'import', path)).toContain('0 of 0 subscribers');
  for (const text of ['', '{}', '{"inbox_url":', 'no JSON\n']) {
    writeFileSync(path, text);
    await expect(server.run('relay', 'import', path)).rejects.toThrow('no export of a relay');
  }
});

test('the key of another relay is taken over, and is in force at once', async () => {
  const path = join(server.dataDirectory, 'actor.pem');
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  // As Activity-Relay's setup makes it.
  writeFileSync(path, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  expect(await server.run('relay', 'import-key', path)).toContain('2048 bits');
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(await document('/actor')).toMatchObject({ publicKey: { publicKeyPem } });
  fleet.forgetKeys();
  const post = fleet.post(5);
  await fleet.send(post, fleet.person(5));
  expect(await fleet.arrived(6, ({ activity }) => activity.id === post.id)).toMatchObject({ isVerified: true });
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const other = generateKeyPairSync('ed25519').privateKey;
  for (const text of ['no key', ...[weak, other].map((key) => key.export({ type: 'pkcs8', format: 'pem' }))]) {
    writeFileSync(path, text);
    await expect(server.run('relay', 'import-key', path)).rejects.toThrow('an RSA key of 2048 bits or more');
  }
});

test('with other partitions it goes on where each subscriber was', async () => {
  const [last, down] = [9, 6];
  const posts = [1, 2, 3].map(() => fleet.post(5));
  const isPost = ({ activity: { id } }: Arrival) => posts.some((post) => post.id === id);
  fleet.answers = (arrival) => (arrival.host === fleet.host(down) && isPost(arrival) ? 503 : 202);
  for (const post of posts) expect(await fleet.send(post, fleet.person(5))).toBe(202);
  await fleet.arrived(last, ({ activity }) => activity.id === posts[2]!.id);
  const { port } = server;
  await server.stop();
  fleet.answers = () => 202;
  expect(await server.run('repartition', '5')).toContain('Partitions: 5');
  server = await startTestServer({ dataDirectory, environment, port });
  const newest = fleet.post(5);
  await fleet.send(newest, fleet.person(5));
  // Its operator says that it works again: the wait after one failure is too short for the relay to shorten it by itself.
  await until(
    async () => {
      if (fleet.at(down).some(({ activity }) => activity.id === newest.id)) return true;
      await server.run('deliveries', 'retry', 'all');
      return false;
    },
    { description: 'what waited for the subscriber that was down' },
  );
  const idsAt = (number: number) => fleet.at(number).map(({ activity }) => activity.id);
  const wanted = [...posts, newest].map(({ id }) => id);
  expect(idsAt(down).filter((id) => wanted.includes(String(id)))).toEqual(wanted);
  await fleet.arrived(last, ({ activity }) => activity.id === newest.id);
  expect(idsAt(last).filter((id) => wanted.includes(String(id)))).toEqual(wanted);
});
