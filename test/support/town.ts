/**
 * A running server with a few people and their relations, for tests that try to do harm: alice writes, bob is the one
 * who tries, carol blocks bob and bob blocks frank, dave is suspended, erin is locked. `state` is all of it that anybody
 * could have changed.
 */
import { type Ask, askerOf, idsOf, type Json } from './asking.ts';
import { type RunningServer, startTestServer, type TestServerInput, type TestUser } from './server.ts';

export interface Person extends TestUser {
  readonly id: string;
}

export interface Town {
  readonly server: RunningServer;
  readonly ask: Ask;
  readonly people: Readonly<Record<'alice' | 'bob' | 'carol' | 'dave' | 'erin' | 'frank', Person>>;
  /** A token of an application itself, with every scope of the others. */
  readonly application: { readonly token: string };
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Statuses of alice by visibility; bob follows her and is mentioned in none. `ofCarol` is public, `ofBob` is bob's. */
  readonly statuses: Readonly<Record<'public' | 'private' | 'direct' | 'ofCarol' | 'ofBob', string>>;
  /** A notification of alice. */
  readonly notification: string;
  state(): Promise<Record<string, Json>>;
}

const everything = 'profile read write follow push';

export async function startTown(input: TestServerInput = {}): Promise<Town> {
  const server = await startTestServer(input);
  const ask = askerOf(server);
  const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'] as const;
  const created = await Promise.all(names.map((name) => personOf(server, ask, name)));
  const people = Object.fromEntries(names.map((name, index) => [name, created[index]!])) as Town['people'];
  const { alice, bob, carol, dave, erin, frank } = people;

  const wish = { client_name: 'An app', redirect_uris: 'https://app.example/', scopes: everything };
  const client = (await ask(undefined, 'POST', '/api/v1/apps', wish)).body as unknown as Town['client'];
  const grant = { grant_type: 'client_credentials', scope: everything, ...client };
  const application = { token: String((await ask(undefined, 'POST', '/oauth/token', grant)).body.access_token) };

  const post = async (author: Person, visibility: string) =>
    String((await ask(author, 'POST', '/api/v1/statuses', { status: `${visibility} words`, visibility })).body.id);
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
  return { server, ask, people, application, client, statuses, notification, state };
}

async function personOf(server: RunningServer, ask: Ask, username: string): Promise<Person> {
  const user = await server.createUser(username);
  return { ...user, id: String((await ask(user, 'GET', '/api/v1/accounts/verify_credentials')).body.id) };
}

const lists = ['timelines/home?limit=40', 'notifications?limit=80', 'follow_requests', 'blocks', 'mutes'];

async function stateOf(ask: Ask, people: readonly Person[]): Promise<Record<string, Json>> {
  const everybody = people.map(({ id }) => `id[]=${id}`).join('&');
  const state: Record<string, Json> = {
    public: (await ask(undefined, 'GET', '/api/v1/timelines/public?limit=40')).body,
    instance: (await ask(undefined, 'GET', '/api/v1/instance')).body.stats!,
  };
  for (const person of people) {
    const of = async (path: string) => {
      state[`${person.username} ${path}`] = (await ask(person, 'GET', `/api/v1/${path}`)).body;
    };
    await of('accounts/verify_credentials');
    await of(`accounts/${person.id}/statuses?limit=40`);
    await of(`accounts/relationships?${everybody}`);
    for (const list of lists) await of(list);
  }
  return state;
}
