/** NodeInfo against its closed schema (specification section 2.2): no other keys, every required one, integers. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Account } from '../../src/actors/account/account.messages.ts';
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { dayOf, Session, userKey } from '../../src/actors/session/session.messages.ts';
import { home, InboundBed } from './inbound-bed.ts';

const count = z.number().int().min(0);
const protocols = [
  'activitypub',
  'buddycloud',
  'dfrn',
  'diaspora',
  'libertree',
  'ostatus',
  'pumpio',
  'tent',
  'xmpp',
  'zot',
];
const NodeInfo = z.strictObject({
  version: z.literal('2.0'),
  software: z.strictObject({ name: z.string().regex(/^[a-z0-9-]+$/), version: z.string().min(1) }),
  protocols: z.array(z.enum(protocols)).min(1),
  services: z.strictObject({ inbound: z.array(z.string()).max(0), outbound: z.array(z.string()).max(0) }),
  openRegistrations: z.boolean(),
  usage: z.strictObject({
    users: z.strictObject({ total: count, activeHalfyear: count, activeMonth: count }),
    localPosts: count,
    localComments: count.optional(),
  }),
  metadata: z.record(z.string(), z.unknown()),
});

async function read(bed: InboundBed) {
  const links = (await (await bed.gateway.fetch('/.well-known/nodeinfo')).json()) as {
    links: { rel: string; href: string }[];
  };
  expect(links.links.map(({ rel }) => rel)).toEqual(['http://nodeinfo.diaspora.software/ns/schema/2.0']);
  const response = await bed.gateway.fetch(links.links[0]!.href.slice(home.length));
  expect(response.headers.get('content-type')).toContain('profile="http://nodeinfo.diaspora.software/ns/schema/2.0#"');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  return NodeInfo.parse(await response.json());
}

it('tells how much the server is used', async () => {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  await bed.local('carol', { confirmed: false });
  const dave = await bed.local('dave');
  await bed.gateway.actors.call(Account.changeLogin.to(dave, { suspended: true }));
  await bed.publish(alice, 'One');
  const bob = bed.person('remote.example', 'bob');
  await bed.follow(alice, bob);
  await bed.send(bob, bob.create(bob.note('hello')));
  const info = await read(bed);
  expect(info.usage.users.total).toBe(1);
  expect(info.usage.localPosts).toBe(1);
});

it('tells how many were active within 180 days, and of them within 30', async () => {
  const bed = new InboundBed();
  const [alice, bob] = [await bed.local('alice'), await bed.local('bob')];
  const { actors } = bed.gateway;
  const isActive = (account: bigint) =>
    actors.send(Session.userActive.to(userKey(account), { day: dayOf(actors.clock.now()) }));
  isActive(bob);
  actors.clock.advance(40 * 24 * 60 * 60 * 1_000);
  isActive(alice);
  actors.settle();
  expect((await read(bed)).usage.users).toEqual({ total: 2, activeMonth: 1, activeHalfyear: 2 });
});

it('counts who was active and is suspended now among the active, not among the users', async () => {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const { actors } = bed.gateway;
  actors.send(Session.userActive.to(userKey(alice), { day: dayOf(actors.clock.now()) }));
  await actors.call(Account.changeLogin.to(alice, { suspended: true }));
  actors.settle();
  expect((await read(bed)).usage.users).toEqual({ total: 0, activeMonth: 1, activeHalfyear: 1 });
});

/** Otherwise it throws: its list of names has no place for new servers. */
it('leads megalodon, the library of Whalebird and Fedistar, to the API of Mastodon', async () => {
  const { software, metadata } = await read(new InboundBed());
  expect(software.name).toBe('murmuration');
  expect(metadata).toMatchObject({ upstream: { name: 'mastodon' } });
});

it.each([
  ['open', true],
  ['approval', false],
  ['closed', false],
] as const)('says of %s registrations that they are open: %s', async (registrations, expected) => {
  const bed = new InboundBed();
  await bed.gateway.actors.call(Instance.changeSettings.to(instanceKey, { registrations }));
  expect((await read(bed)).openRegistrations).toBe(expected);
});

it('names the server as its staff does', async () => {
  const bed = new InboundBed();
  const named = { title: 'Flock', description: 'A server of birds' };
  await bed.gateway.actors.call(Instance.changeSettings.to(instanceKey, named));
  expect((await read(bed)).metadata).toMatchObject({ nodeName: 'Flock', nodeDescription: 'A server of birds' });
});
