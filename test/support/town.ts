/**
 * A running server with a few people and their relations, for tests that try to do harm: alice writes, bob is the one
 * who tries, carol blocks bob and bob blocks frank, dave is suspended, erin is locked. `state` is all of it that anybody
 * could have changed.
 */
import { type Ask, idsOf, type Json } from './asking.ts';
import { type RunningServer, startTestServer, type TestServerInput } from './server.ts';
import { until } from './until.ts';
import { succeeded, type User, Users } from './users.ts';

const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'] as const;

export interface Town {
  readonly server: RunningServer;
  readonly population: Users;
  readonly ask: Ask;
  readonly people: Readonly<Record<(typeof names)[number], User>>;
  /** An owner. */
  readonly staff: User;
  /** Statuses of alice by visibility; bob follows her and is mentioned in none. `ofCarol` is public, `ofBob` is bob's. */
  readonly statuses: Readonly<Record<'public' | 'private' | 'direct' | 'ofCarol' | 'ofBob', string>>;
  /** A notification of alice. */
  readonly notification: string;
  state(): Promise<Record<string, Json>>;
}

export async function startTown(input: TestServerInput = {}): Promise<Town> {
  const server = await startTestServer(input);
  const population = await Users.of(server);
  const { ask } = population;
  const people = await population.addAll(names);
  const staff = await server.createUser('olga');
  await server.run('accounts', 'modify', staff.username, '--role', 'owner');
  const { alice, bob, carol, dave, erin, frank } = people;

  const post = async (author: User, visibility: string) =>
    String(
      succeeded(await ask(author, 'POST', '/api/v1/statuses', { status: `${visibility} words`, visibility })).body.id,
    );
  const statuses = {
    public: await post(alice, 'public'),
    private: await post(alice, 'private'),
    direct: await post(alice, 'direct'),
    ofCarol: await post(carol, 'public'),
    ofBob: await post(bob, 'public'),
  };
  await ask(erin, 'PATCH', '/api/v1/accounts/update_credentials', { locked: true });
  await ask(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
  await ask(alice, 'POST', `/api/v1/accounts/${erin.id}/follow`);
  await ask(alice, 'POST', `/api/v1/statuses/${statuses.ofBob}/favourite`);
  await ask(carol, 'POST', `/api/v1/accounts/${bob.id}/block`);
  await ask(bob, 'POST', `/api/v1/accounts/${frank.id}/block`);
  await server.run('accounts', 'modify', dave.username, '--suspend');
  const notification = idsOf(await ask(alice, 'GET', '/api/v1/notifications'))[0]!;

  const state = () => stateOf(ask, [alice, bob, carol, erin, frank]);
  await settled(state);
  return { server, population, ask, people, staff, statuses, notification, state };
}

/** What people do to others may reach them a moment later. */
async function settled(state: () => Promise<unknown>): Promise<void> {
  let last = '';
  const isStill = async () => {
    const before = last;
    last = JSON.stringify(await state());
    return last === before;
  };
  await until(isStill, { description: 'everything to be where it belongs' });
}

const lists = [
  'timelines/home?limit=40',
  'notifications?limit=80',
  'follow_requests',
  'blocks',
  'mutes',
  'favourites?limit=40',
  'bookmarks?limit=40',
  'scheduled_statuses?limit=40',
  'conversations?limit=40',
  'notifications/requests?limit=40',
  'push/subscription',
  'filters',
  'lists',
  'followed_tags',
  'endorsements',
  'reports?limit=40',
  'featured_tags',
  'domain_blocks',
  'markers?timeline[]=home&timeline[]=notifications',
];

/** Asked for at once, many times for each test of a storm. */
async function stateOf(ask: Ask, people: readonly User[]): Promise<Record<string, Json>> {
  const everybody = people.map(({ id }) => `id[]=${id}`).join('&');
  const looks: [name: string, person: User | undefined, path: string][] = [
    ['public', undefined, '/api/v1/timelines/public?limit=40'],
  ];
  for (const person of people) {
    const paths = [
      'accounts/verify_credentials',
      `accounts/${person.id}/statuses?limit=40`,
      `accounts/relationships?${everybody}`,
      ...lists,
    ];
    for (const path of paths) looks.push([`${person.username} ${path}`, person, `/api/v1/${path}`]);
    looks.push([`${person.username} policy`, person, '/api/v2/notifications/policy']);
  }
  const bodies = await Promise.all(looks.map(async ([, person, path]) => (await ask(person, 'GET', path)).body));
  return Object.fromEntries(looks.map(([name], index) => [name, bodies[index]!]));
}
