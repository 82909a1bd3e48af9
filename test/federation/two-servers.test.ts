/** Two of our servers with real threads, disks and sockets: actions on one are visible on the other. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDocumentServer } from '../support/document-server.ts';
import { startTestServer } from '../support/server.ts';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { until } from '../support/until.ts';
import { colourAt, pictureOf } from './coloured-pictures.ts';
import { type Account, ServerUser, type Status } from './server-user.ts';
import { assertLogged, assertTraced, collectorKey } from './traced-post.ts';

interface Pictures {
  avatar: string;
  avatar_description: string;
  header: string;
  header_description: string;
}

let alice: ServerUser;
let bob: ServerUser;
/** Gets the traces of alice's server. */
let collector: TraceCollector;

beforeAll(async () => {
  collector = await startTraceCollector();
  const [one, other] = await Promise.all([
    startTestServer({
      host: '127.0.0.1',
      environment: {
        MURMURATION_TRACING: 'on',
        MURMURATION_LOG_LEVEL: 'info',
        MURMURATION_OTLP_ENDPOINT: collector.endpoint,
        MURMURATION_OTLP_HEADERS: `x-key=${collectorKey}`,
      },
    }),
    startTestServer({ host: '127.0.0.2' }),
  ]);
  alice = new ServerUser(one, await one.createUser('alice'));
  bob = new ServerUser(other, await other.createUser('bob'));
});

afterAll(async () => {
  for (const { server } of [alice, bob]) expect([await server.stop(), server.output()]).toEqual([0, expect.anything()]);
  await collector.close();
});

test('what nobody has followed yet is found by its address (specification 4.3)', async () => {
  const find = async (words: string) => {
    type Found = { accounts: Account[]; statuses: Status[] };
    const { accounts, statuses } = await bob.api<Found>('GET', `search?q=${encodeURIComponent(words)}&resolve=true`);
    return [...accounts.map(({ acct }) => acct), ...statuses.map(({ uri }) => uri)];
  };
  const { uri, url } = await alice.post('Written before');
  expect(await find(url)).toEqual([uri]);
  expect(await find(uri)).toEqual([uri]);
  expect(await find(url.replace(/\/\d+$/, ''))).toEqual([alice.handle.slice(1)]);
  const hidden = await alice.post('Between us', { visibility: 'private' });
  expect(await find(hidden.uri)).toEqual([]);
  expect(await find(`${alice.server.origin}/nothing`)).toEqual([]);
});

test('they find and follow each other', async () => {
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const account = await one.find(other);
    expect(account.acct).toBe(other.handle.slice(1));
    await one.api('POST', `accounts/${account.id}/follow`);
    await other.isNotified('follow', one);
  }
});

test('pictures and their descriptions are seen through the server of who looks, and change and go', async () => {
  const { id } = await bob.find(alice);
  const change = async (fields: Record<string, string | Blob>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const { token } = alice.user;
    const answer = await alice.server.fetch('/api/v1/accounts/update_credentials', { method: 'PATCH', token, body });
    expect(answer.status).toBe(200);
  };
  const seenWith = (avatarDescription: string) =>
    until(
      async () => {
        const account = await bob.api<Pictures>('GET', `accounts/${id}`);
        return account.avatar_description === avatarDescription ? account : undefined;
      },
      { description: `the avatar ${avatarDescription}` },
    );
  await change({
    ...{ avatar: await pictureOf('#ff0000'), avatar_description: 'Red' },
    ...{ header: await pictureOf('#0000ff'), header_description: 'Blue' },
  });
  const first = await seenWith('Red');
  expect(first).toMatchObject({
    avatar: expect.stringContaining(`${bob.server.origin}/media_proxy/avatar/`),
    header: expect.stringContaining(`${bob.server.origin}/media_proxy/header/`),
    header_description: 'Blue',
  });
  expect([await colourAt(first.avatar), await colourAt(first.header)]).toEqual(['red', 'blue']);

  await change({ avatar: await pictureOf('#00ff00'), avatar_description: 'Green' });
  const second = await seenWith('Green');
  expect([await colourAt(second.avatar), second.header]).toEqual(['green', first.header]);
  expect(await bob.server.run('media', 'prune', '--host', alice.server.host)).toContain('3 files');
  expect(await colourAt(second.avatar)).toBe('green');

  await alice.api('DELETE', 'profile/avatar');
  const third = await seenWith('');
  expect([third.avatar.includes('media_proxy'), third.header]).toEqual([false, first.header]);
  expect((await fetch(third.avatar)).status).toBe(200);
});

test('a picture of a post comes the other way, with what an edit says of it, and so does a new avatar', async () => {
  const send = async (method: string, path: string, fields: Record<string, string | Blob>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const answer = await bob.server.fetch(path, { method, token: bob.user.token, body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { id: string };
  };
  const media = { file: await pictureOf('#00ff00'), description: 'A leaf' };
  const { id: mediaId } = await send('POST', '/api/v2/media', media);
  const status = await bob.post('In green', { media_ids: [mediaId] });
  const [shown] = (await alice.receives(status.uri)).media_attachments;
  expect(shown).toMatchObject({
    url: expect.stringContaining(`${alice.server.origin}/media_proxy/`),
    description: 'A leaf',
  });
  expect(await colourAt(shown!.url)).toBe('green');
  const media_attributes = [{ id: mediaId, description: 'A frog' }];
  await bob.api('PUT', `statuses/${status.id}`, { status: 'In green', media_ids: [mediaId], media_attributes });
  await alice.receives(status.uri, ({ media_attachments: [one] }) => one?.description === 'A frog');

  const { id } = await alice.find(bob);
  const look = () => alice.api<Pictures>('GET', `accounts/${id}`);
  await send('PATCH', '/api/v1/accounts/update_credentials', {
    ...{ avatar: await pictureOf('#0000ff'), avatar_description: 'Blue' },
  });
  const seen = async () => {
    const account = await look();
    return account.avatar_description === 'Blue' ? account : undefined;
  };
  expect(await colourAt((await until(seen, { description: 'the avatar Blue' })).avatar)).toBe('blue');
});

test('an emoji of another server is taken over, from a post or an account that shows it', async () => {
  await alice.server.run('accounts', 'modify', 'alice', '--role', 'admin');
  const body = new FormData();
  body.append('shortcode', 'wren');
  body.append('image', await pictureOf('#0000ff'));
  const uploads = '/api/murmuration/v1/admin/custom_emojis';
  const uploaded = await alice.server.fetch(uploads, { method: 'POST', token: alice.user.token, body });
  expect([uploaded.status, await uploaded.json()]).toMatchObject([200, { shortcode: 'wren', disabled: false }]);
  const status = await alice.post('A :wren: sings');
  await bob.receives(status.uri);
  const copy = (name: string, from: string) =>
    bob.server.run('emojis', 'copy', name, '--from', from, '--as', 'blue', '--category', 'Birds');
  expect(await copy('wren', status.uri)).toContain('Added :blue:');
  await expect(copy('wren', status.uri)).rejects.toThrow('There is an emoji blue already');
  await expect(bob.server.run('emojis', 'copy', 'robin', '--from', alice.handle)).rejects.toThrow(
    'shows no emoji robin',
  );
  const [emoji, ...others] = await bob.api<{ url: string }[]>('GET', 'custom_emojis');
  expect([emoji, others]).toMatchObject([{ shortcode: 'blue', category: 'Birds' }, []]);
  expect(emoji!.url).toContain(`${bob.server.origin}/media/`);
  expect(await colourAt(emoji!.url)).toBe('blue');
});

test('a post arrives, and is deleted', async () => {
  const status = await alice.post('Hello @nobody #fediverse https://news.example/a/story');
  const seen = await bob.receives(status.uri);
  expect(seen).toMatchObject({ visibility: 'public', account: { acct: alice.handle.slice(1) } });
  expect(seen.content).toContain('news.example/a/story');
  await alice.api('DELETE', `statuses/${status.id}`);
  await until(async () => (await bob.fetch('GET', `statuses/${seen.id}`)).status === 404);
});

test('an edited post is seen as it is now', async () => {
  const status = await alice.post('Before');
  const seen = await bob.receives(status.uri);
  await alice.api('PUT', `statuses/${status.id}`, { status: `After ${bob.handle}` });
  const edited = async () => {
    const now = await bob.api<Status>('GET', `statuses/${seen.id}`);
    return now.edited_at === null ? undefined : now;
  };
  expect((await until(edited)).content).toMatch(/^<p>After /);
  expect((await bob.isNotified('mention', alice)).status).toMatchObject({ id: seen.id });
  await bob.api('POST', 'notifications/clear');
});

test('new keys are told in the name of the former ones; what follows is believed at once', async () => {
  const keyOf = async () => {
    const actor = await fetch(`${alice.server.origin}/users/alice`, {
      headers: { accept: 'application/activity+json' },
    });
    const { publicKey, assertionMethod } = (await actor.json()) as {
      publicKey: { publicKeyPem: string };
      assertionMethod: [{ publicKeyMultibase: string }];
    };
    return [publicKey.publicKeyPem, assertionMethod[0].publicKeyMultibase];
  };
  const before = await keyOf();
  await alice.api('PATCH', 'accounts/update_credentials', { display_name: 'Alice of before' });
  expect(await alice.server.run('accounts', 'rotate-keys', 'alice')).toContain('alice has new keys.');
  const after = await keyOf();
  expect(after.filter((key) => before.includes(key))).toEqual([]);
  const status = await alice.post('Signed with another key');
  expect((await bob.receives(status.uri)).account.display_name).toBe('Alice of before');
  expect(await alice.server.run('accounts', 'rotate-keys', '--all')).toContain('All accounts get new keys');
  await until(async () => (await keyOf())[0] !== after[0], { description: 'the keys of all' });
  const later = await alice.post('Signed with a third one');
  await bob.receives(later.uri);
});

test('a follower with `notify` is notified of a new post', async () => {
  const { id } = await bob.find(alice);
  await bob.api('POST', `accounts/${id}/follow`, { notify: true });
  const { uri } = await alice.post('Ding');
  const { status } = await bob.isNotified('status', alice);
  expect(status).toMatchObject({ uri });
  await bob.api('POST', `accounts/${id}/follow`, { notify: false });
});

test('replies, favourites and reblogs come back, and can be taken back', async () => {
  const status = await alice.post('React to me');
  const { id } = await bob.receives(status.uri);
  const reply = await bob.post(`${alice.handle} gladly`, { in_reply_to_id: id });
  const mention = await alice.isNotified('mention', bob);
  expect(mention.status).toMatchObject({ uri: reply.uri, in_reply_to_id: status.id });
  await bob.api('POST', `statuses/${id}/favourite`);
  await bob.api('POST', `statuses/${id}/reblog`);
  await alice.isNotified('favourite', bob);
  await alice.isNotified('reblog', bob);
  const counted = async (favourites: number, reblogs: number) => {
    const now = await alice.api<Status>('GET', `statuses/${status.id}`);
    return now.favourites_count === favourites && now.reblogs_count === reblogs && now.replies_count === 1;
  };
  await until(() => counted(1, 1));
  await bob.api('POST', `statuses/${id}/unfavourite`);
  await bob.api('POST', `statuses/${id}/unreblog`);
  await until(() => counted(0, 0));
});

test('a quote waits for its author, is shown with their leave, and no more when they take it back', async () => {
  type Quoting = Status & { quote: { state: string; quoted_status: Status | null }; quotes_count: number };
  const quoted = await alice.post('Quote me');
  const { id } = await bob.receives(quoted.uri);
  const quote = await bob.post('She says', { quoted_status_id: id });
  const stateIs = (state: string) => async () => {
    const now = await bob.api<Quoting>('GET', `statuses/${quote.id}`);
    return now.quote.state === state ? now : undefined;
  };
  const { status } = await alice.isNotified('quote', bob);
  expect(status).toMatchObject({ uri: quote.uri, quote: { state: 'accepted', quoted_status: { id: quoted.id } } });
  expect(await until(stateIs('accepted'))).toMatchObject({ quote: { quoted_status: { id } } });
  await until(async () => (await bob.api<Quoting>('GET', `statuses/${id}`)).quotes_count === 1);
  await alice.api('POST', `statuses/${quoted.id}/quotes/${status?.id}/revoke`);
  expect(await until(stateIs('revoked'))).toMatchObject({ quote: { quoted_status: null } });
  await alice.api('PUT', `statuses/${quoted.id}/interaction_policy`, { quote_approval_policy: 'nobody' });
  const denied = async () =>
    (await bob.fetch('POST', 'statuses', { status: 'x', quoted_status_id: id })).status === 404;
  await until(denied);
});

test('who may reply holds on both servers, and changes there without an edit', async () => {
  const stranger = new ServerUser(bob.server, await bob.server.createUser('stranger'));
  const limited = await alice.post('For followers to answer', { reply_approval_policy: 'followers' });
  const { id } = await bob.receives(limited.uri);
  const answer = (who: ServerUser) => who.fetch('POST', 'statuses', { status: 'Yes', in_reply_to_id: id });
  const mayReply = async (who: ServerUser) =>
    (await who.api<{ reply_approval: { current_user: string } }>('GET', `statuses/${id}`)).reply_approval?.current_user;
  expect([await mayReply(bob), await mayReply(stranger)]).toEqual(['automatic', 'denied']);
  expect((await answer(stranger)).status).toBe(422);
  const { uri } = (await (await answer(bob)).json()) as Status;
  const repliesOf = async () => (await alice.api<Status>('GET', `statuses/${limited.id}`)).replies_count;
  await until(async () => (await repliesOf()) === 1, { description: `the reply ${uri}` });
  await alice.api('PUT', `statuses/${limited.id}/interaction_policy`, { reply_approval_policy: 'public' });
  await until(async () => (await mayReply(stranger)) === undefined);
  expect((await answer(stranger)).status).toBe(200);
  await until(async () => (await repliesOf()) === 2);
});

test('a post that stays here is never heard of there', async () => {
  const carol = new ServerUser(alice.server, await alice.server.createUser('carol'));
  const kept = await alice.post(`${bob.handle} between us`, { local_only: true });
  const reply = await carol.post('@alice yes', { in_reply_to_id: kept.id });
  await carol.api('POST', `statuses/${kept.id}/reblog`);
  await alice.api('PUT', `statuses/${kept.id}`, { status: `${bob.handle} changed` });
  await alice.api('POST', `statuses/${kept.id}/pin`);
  expect((await fetch(kept.url)).status).toBe(404);
  expect((await fetch(kept.uri, { headers: { accept: 'application/activity+json' } })).status).toBe(404);
  const found = await bob.api<{ statuses: Status[] }>('GET', `search?q=${encodeURIComponent(kept.uri)}&resolve=true`);
  expect(found.statuses).toEqual([]);
  await alice.api('DELETE', `statuses/${kept.id}`);
  // What comes after it would have come after it.
  const marker = await alice.post('For everybody');
  await bob.receives(marker.uri);
  const { id } = await bob.find(alice);
  const known = (await bob.api<Status[]>('GET', `accounts/${id}/statuses?limit=40`)).map(({ uri }) => uri);
  expect([marker, kept, reply].map(({ uri }) => known.includes(uri))).toEqual([true, false, false]);
});

test('followers-only and direct posts reach whom they are for, and nobody else', async () => {
  const carol = new ServerUser(bob.server, await bob.server.createUser('carol'));
  const secret = await alice.post('For followers', { visibility: 'private' });
  const { id } = await bob.receives(secret.uri);
  expect((await carol.fetch('GET', `statuses/${id}`)).status).toBe(404);
  const direct = await alice.post(`${bob.handle} for you`, { visibility: 'direct' });
  const { status } = await bob.isNotified('mention', alice);
  expect(status).toMatchObject({ uri: direct.uri, visibility: 'direct' });
  expect((await carol.fetch('GET', `statuses/${status?.id}`)).status).toBe(404);
});

test('a locked account decides, and a block ends it', async () => {
  await alice.api('PATCH', 'accounts/update_credentials', { locked: true });
  const dave = new ServerUser(bob.server, await bob.server.createUser('dave'));
  const { id } = await dave.find(alice);
  const relation = async () =>
    (await dave.api<{ requested: boolean; following: unknown }[]>('GET', `accounts/relationships?id[]=${id}`))[0];
  await dave.api('POST', `accounts/${id}/follow`);
  const { account } = await alice.isNotified('follow_request', dave);
  expect(await relation()).toMatchObject({ requested: true, following: false });
  await alice.api('POST', `follow_requests/${account.id}/authorize`);
  await until(async () => Boolean((await relation())?.following));
  await alice.api('POST', `accounts/${account.id}/block`);
  await until(async () => !(await relation())?.following);
});

test('what is for a server waits while staff have stopped deliveries to it, and comes once they are restarted', async () => {
  const there = bob.server.host;
  await alice.server.run('servers', 'stop', there);
  const { uri } = await alice.post('Written while it is stopped');
  const shown = () => alice.server.run('servers', 'show', there);
  await until(async () => (await shown()).includes('1 deliveries wait'));
  expect(await shown()).toContain(`${there}  stopped`);
  expect((await bob.home()).map((status) => status.uri)).not.toContain(uri);
  await alice.server.run('servers', 'restart', there);
  await bob.receives(uri);
  await until(async () => (await shown()).includes('0 deliveries wait'));
  expect(await shown()).toMatch(/working.*last delivery/s);
  expect(await alice.server.run('servers', 'list')).toMatch(/working, \d+ accounts, 1 followers, 1 followed/);
});

test('the log follows a post by the id of its request, from the API to the other server', async () => {
  await assertLogged(alice, bob);
});

test('the collector of traces gets the tree of a post, and nothing of what it says or of who says it', async () => {
  await assertTraced(alice, bob, collector);
});

test('the log of the other server follows it from the inbox', async () => {
  const { uri } = await bob.post(`${alice.handle} here`);
  await alice.receives(uri);
  const stepsBy = (steps: Map<string, string[]>, line: string) => {
    const { cause, msg } = JSON.parse(line) as { cause?: string; msg: string };
    return cause === undefined ? steps : steps.set(cause, [...(steps.get(cause) ?? []), msg]);
  };
  const traces = () => {
    const lines = alice.server.output().split('\n');
    return [
      ...lines
        .filter((line) => line.startsWith('{'))
        .reduce(stepsBy, new Map<string, string[]>())
        .values(),
    ];
  };
  const whole = ['request POST /inbox', 'turn account.receiveStatus', 'turn account.mentioned'];
  await until(() => traces().some((steps) => whole.every((step) => steps.includes(step))));
});

test('whoever opens a post of other servers gets its thread from them, while it comes and afterwards', async () => {
  const [here, there] = await Promise.all(['127.0.0.3', '127.0.0.4'].map(startDocumentServer));
  onTestFinished(async () => void (await Promise.all([here!.close(), there!.close()])));
  const id = `${here!.origin}/notes/root`;
  const answers = ['one', 'two'].map((name) => there!.note(name, { inReplyTo: id }));
  const first = { id: `${id}/page`, type: 'CollectionPage', items: answers };
  here!.note('root', { replies: { id: `${id}/replies`, type: 'Collection', first } });
  const {
    statuses: [root],
  } = await alice.api<{ statuses: Status[] }>('GET', `search?q=${encodeURIComponent(id)}&resolve=true&type=statuses`);
  const stream = await alice.fetch('GET', `streaming/thread?id=${root!.id}`);
  const opened = await alice.fetch('GET', `statuses/${root!.id}/context`);
  expect(opened.headers.get('mastodon-async-refresh')).toBe(`id="${root!.id}", retry=5, result_count=0`);
  const progress = async () => {
    const answer = await alice.server.fetch(`/api/v1_alpha/async_refreshes/${root!.id}`, { token: alice.user.token });
    return ((await answer.json()) as { async_refresh: object }).async_refresh;
  };
  await until(async () => ((await progress()) as { status: string }).status === 'finished');
  expect(await progress()).toEqual({ id: root!.id, status: 'finished', result_count: 2 });
  const { descendants } = await alice.api<{ descendants: Status[] }>('GET', `statuses/${root!.id}/context`);
  expect(descendants.map(({ uri }) => uri).sort()).toEqual(answers.sort());
  let seen = '';
  for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
    seen += piece;
    if (answers.every((uri) => seen.includes(`"uri":"${uri}"`))) break;
  }
  expect((await alice.fetch('GET', `statuses/${root!.id}/context`)).headers.has('mastodon-async-refresh')).toBe(false);
});
