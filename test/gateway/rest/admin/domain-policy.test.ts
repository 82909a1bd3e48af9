/** The endpoints of rules for other servers, as staff and tools that share blocklists use them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { AdminDomainAllowEntity, AdminDomainBlockEntity } from '../../../../src/gateway/entities/admin/domains.ts';
import { rawRoutes } from '../../../../src/gateway/raw-routes.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { emojisShownBy } from '../../../../src/operations/administration/emojis-elsewhere.ts';
import { operator } from '../../../../src/operations/caller.ts';
import type { MediaOwner } from '../../../../src/services/media/media-owner.ts';
import { pictureOrDefault } from '../../../../src/services/media/shown-pictures.ts';
import { problemsOf } from '../../../support/answer-shapes.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { People } from '../../../support/people.ts';
import { plainPost } from '../../../support/plain-post.ts';
import { addWithToken } from '../../../support/sign-up.ts';
import { openStream, type StreamedEvent, type Transport } from '../../../support/stream-readers.ts';

type Body = Record<string, unknown> & { id: string; domain: string };

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints, rawRoutes, proxiesMedia: true, streams: true });
  ({ token } = await addWithToken(gateway, 'ada', { role: 'admin' }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const blocks = '/api/v1/admin/domain_blocks';
const allows = '/api/v1/admin/domain_allows';
const ask = <Answer = Body>(method: string, path: string, json?: object) =>
  gateway.json<Answer>(path, { method, token, ...(json && { json }) });

test('a rule is made, shown, changed and taken back', async () => {
  const made = await ask('POST', blocks, {
    ...{
      domain: ' Rude.Example ',
      severity: 'suspend',
      public_comment: 'Rude',
      private_comment: '',
      obfuscate: 'true',
    },
  });
  const entity = {
    id: expect.stringMatching(/^\d+$/),
    domain: 'rude.example',
    digest: '87d82db5b100e29978515cd5b92cf0b7dad4eb294b560644a67d7d6554236d9a',
    created_at: new Date(gateway.actors.clock.now()).toISOString(),
    severity: 'suspend',
    reject_media: false,
    reject_reports: false,
    private_comment: null,
    public_comment: 'Rude',
    obfuscate: true,
  };
  expect(made).toEqual({ status: 200, body: entity });
  expect(problemsOf(AdminDomainBlockEntity, made.body)).toBe('');
  const path = `${blocks}/${made.body.id}`;
  expect(await ask('GET', path)).toEqual(made);
  const changed = { ...made.body, severity: 'silence', public_comment: null, reject_media: true };
  const change = { severity: 'silence', public_comment: '', reject_media: true };
  expect(await ask('PUT', path, change)).toEqual({ status: 200, body: changed });
  expect(await ask('PATCH', path, {})).toEqual({ status: 200, body: changed });
  expect((await ask<Body[]>('GET', blocks)).body).toEqual([changed]);
  expect(await ask('DELETE', path)).toEqual({ status: 200, body: {} });
  for (const method of ['GET', 'PUT', 'DELETE']) expect((await ask(method, path)).status).toBe(404);
});

test('a server is silenced by default', async () => {
  const { body } = await ask('POST', blocks, { domain: 'loud.example' });
  expect(body).toMatchObject({ domain: 'loud.example', severity: 'silence' });
});

test.each([
  ['that is there', 'bad.example', 'noop'],
  ['that is stricter, of a domain above', 'sub.bad.example', 'silence'],
])('a rule %s stays, and is in the refusal', async (_which, domain, severity) => {
  const { body: first } = await ask('POST', blocks, { domain: 'bad.example', severity: 'suspend' });
  const existing = first.existing_domain_block ?? first;
  expect(await ask('POST', blocks, { domain, severity })).toEqual({
    status: 422,
    body: {
      error: 'You have already imposed stricter limits on bad.example',
      existing_domain_block: existing,
    },
  });
});

test.each([
  ["Validation failed: Domain can't be blank", {}],
  ['Validation failed: Domain is not a valid domain name', { domain: 'a b' }],
  ['Validation failed: Domain is not a valid domain name', { domain: 'social.example' }],
  ['Validation failed: Severity is not included in the list', { domain: 'x.example', severity: 'ban' }],
  [/^Validation failed: Public comment is too long/, { domain: 'x.example', public_comment: 'x'.repeat(1_001) }],
])('%s', async (error, json) => {
  const refused = await ask('POST', blocks, json);
  expect(refused).toEqual({
    status: 422,
    body: { error: typeof error === 'string' ? error : expect.stringMatching(error) },
  });
});

test('servers are allowed once, listed in pages, and taken off the list', async () => {
  const ids: string[] = [];
  for (const domain of ['a.example', 'b.example', 'c.example']) {
    ids.unshift((await ask('POST', allows, { domain })).body.id);
    gateway.actors.clock.advance(1);
  }
  const again = await ask('POST', allows, { domain: 'A.example' });
  expect(again.body).toMatchObject({ id: ids[2], domain: 'a.example' });
  expect(problemsOf(AdminDomainAllowEntity, again.body)).toBe('');
  const first = await gateway.fetch(`${allows}?limit=2`, { token });
  expect(((await first.json()) as Body[]).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const link = `https://social.example${allows}?limit=2`;
  const links = `<${link}&max_id=${ids[1]}>; rel="next", <${link}&min_id=${ids[0]}>; rel="prev"`;
  expect(first.headers.get('link')).toBe(links);
  const next = await ask<Body[]>('GET', `${allows}?limit=2&max_id=${ids[1]}`);
  expect(next.body.map(({ domain }) => domain)).toEqual(['a.example']);
  expect((await ask('GET', `${allows}/${ids[0]}`)).body).toMatchObject({ domain: 'c.example' });
  expect(await ask('DELETE', `${allows}/${ids[0]}`)).toEqual({ status: 200, body: {} });
  for (const method of ['GET', 'DELETE']) expect((await ask(method, `${allows}/${ids[0]}`)).status).toBe(404);
});

const cdn = (name: string) => `https://cdn.example/${name}`;

/** Of bob, whose server keeps its files on hosts of another name. */
async function postsWithMedia() {
  const people = new People(gateway.actors);
  const bob = people.remote('bob', 'pictures.example');
  const emojis = [{ shortcode: 'blob', url: cdn('blob.gif'), staticUrl: cdn('blob.png') }];
  const pictures = { avatar: cdn('avatar.png'), header: cdn('header.webp') };
  people.learn(bob, { ...pictures, emojis, displayName: 'Bob :blob:', noteHtml: '<p>I am :blob:</p>' });
  const receivedAt = gateway.actors.clock.now();
  const receive = async (number: number, given: object) => {
    const { text: _text, mentions: _mentions, poll: _poll, ...plain } = plainPost('See :blob: #media');
    const tags = [{ name: 'media', display: 'media' }];
    const uri = `https://pictures.example/${number}`;
    const post = { ...plain, tags, emojis, mentions: [], localMentions: [], uri, publishedAt: receivedAt, ...given };
    return (await gateway.actors.call(Account.receiveStatus.to(bob.id, { status: post, receivedAt }))).statusId;
  };
  const file = { id: 1n, type: 'image', url: cdn('a.png'), remoteUrl: cdn('a.png'), mediaType: 'image/png' } as const;
  const film = { ...file, id: 2n, type: 'video', url: cdn('b.mp4'), previewUrl: cdn('b.jpg') } as const;
  const posts = {
    pictured: await receive(1, { attachments: [file, film] }),
    poll: await receive(2, { poll: { options: ['A :blob:', 'B'], multiple: false, hideTotals: false } }),
    linking: await receive(3, { link: 'https://news.example/a' }),
  };
  const card = {
    url: 'https://news.example/a',
    title: 'A',
    description: '',
    image: cdn('card.png'),
    blurhash: 'LEHV6n',
  };
  gateway.actors.send(Account.cardFound.to(bob.id, { statusId: posts.linking, url: card.url, card }));
  gateway.actors.settle();
  return { bob, posts, people, receive, pictured: { attachments: [file] } };
}

test('no media of a server are shown anywhere, wherever its files are, while a rule says so', async () => {
  const { bob, posts, people } = await postsWithMedia();
  const { id: alice, token: hers } = await addWithToken(gateway, 'alice');
  const reblog = `/api/v1/statuses/${posts.pictured}/reblog`;
  const { body: boost } = await gateway.json<Body>(reblog, { method: 'POST', token: hers });
  const quote = { statusId: posts.pictured, accountId: bob.id, state: 'accepted' } as const;
  const { statusId: quoting } = await gateway.actors.call(Account.publish.to(alice, plainPost('See', { quote })));
  gateway.actors.settle();
  const paths = [
    ...Object.values(posts).map((id) => `/api/v1/statuses/${id}`),
    ...[`/api/v1/statuses/${boost.id}`, `/api/v1/accounts/${bob.id}`, `/api/v1/polls/${posts.poll}`],
    ...[`/api/v1/statuses/${posts.pictured}/history`, '/api/v1/timelines/tag/media', '/tags/media.rss'],
    ...[`/api/v1/accounts/${alice}/statuses`, '/api/v1/timelines/home', '/tags/media', '/@bob@pictures.example'],
    ...Object.values(posts).map((id) => `/@bob@pictures.example/${id}`),
    ...[`/api/v1/statuses/${quoting}`, `/@alice/${quoting}`],
  ];
  const texts = async () => {
    const answers = paths.map(async (path) => {
      const headers = path.startsWith('/api/') ? {} : { accept: 'text/html' };
      const response = await gateway.fetch(path, { headers, ...(path.startsWith('/api/') && { token: hers }) });
      expect([path, response.status]).toEqual([path, 200]);
      return [path, await response.text()] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  };
  const before = await texts();
  for (const path of paths) expect([path, before[path]!.includes('/media_proxy/')]).toEqual([path, true]);

  const { body: rule } = await ask('POST', blocks, {
    ...{ domain: 'pictures.example', severity: 'noop', reject_media: true },
  });
  const during = await texts();
  for (const path of paths) expect([path, during[path]!.includes('/media_proxy/')]).toEqual([path, false]);
  const status = JSON.parse(during[`/api/v1/statuses/${posts.pictured}`]!);
  expect(status.media_attachments).toMatchObject([
    { type: 'unknown', url: cdn('a.png'), preview_url: null, remote_url: cdn('a.png') },
    { type: 'unknown', url: cdn('b.mp4'), preview_url: null, preview_remote_url: cdn('b.jpg') },
  ]);
  const fallback = expect.stringMatching(/^https:\/\/social\.example\/(avatars|headers)\//);
  const pictures = { avatar: fallback, avatar_static: fallback, header: fallback, header_static: fallback };
  expect(status).toMatchObject({ emojis: [], account: { ...pictures, emojis: [] } });
  expect(JSON.parse(during[`/api/v1/statuses/${posts.linking}`]!).card).toMatchObject({ image: null, blurhash: null });
  expect(JSON.parse(during[`/api/v1/polls/${posts.poll}`]!).emojis).toEqual([]);
  // Nothing is loaded from there either.
  for (const path of paths.filter((one) => !one.startsWith('/api/')))
    expect([path, /(?:src|poster|url)="https:\/\/cdn/.test(during[path]!)]).toEqual([path, false]);
  expect(during['/tags/media.rss']).not.toContain('media:content');
  const sender = people.profile(bob)!;
  expect(pictureOrDefault(gateway.services.addresses, sender, 'avatar').address).toEqual(fallback);
  const from = 'https://pictures.example/1';
  expect(await emojisShownBy({ services: gateway.services, caller: operator }, from)).toEqual([]);

  await ask('DELETE', `${blocks}/${rule.id}`);
  expect(await texts()).toEqual(before);
});

test.each<Transport>(['websocket', 'server-sent events'])('nor does a stream, over %s', async (transport) => {
  const { receive, pictured } = await postsWithMedia();
  const stream = await openStream(gateway, transport, { channel: 'public', token });
  let number = transport === 'websocket' ? 10 : 20;
  const streamed = async () => {
    number += 1;
    const id = String(await receive(number, pictured));
    gateway.actors.settle();
    const isIt = ({ payload }: StreamedEvent) => (payload as { id?: string }).id === id;
    return (await stream.next((one) => one.event === 'update' && isIt(one))).payload;
  };
  const shown = { media_attachments: [{ type: 'image', url: expect.stringContaining('/media_proxy/') }] };
  expect(await streamed()).toMatchObject(shown);
  const wish = { domain: 'pictures.example', severity: 'noop', reject_media: true };
  const { body: rule } = await ask('POST', blocks, wish);
  const during = await streamed();
  expect(during).toMatchObject({ media_attachments: [{ type: 'unknown', url: cdn('a.png'), preview_url: null }] });
  expect(JSON.stringify(during)).not.toContain('/media_proxy/');
  await ask('DELETE', `${blocks}/${rule.id}`);
  expect(await streamed()).toMatchObject(shown);
  stream.close();
});

test('what is kept encoded stays when a rule is made for others', async () => {
  const { posts } = await postsWithMedia();
  const { presenter } = gateway.services;
  const kept = () => presenter.status(posts.pictured);
  const before = kept();
  await ask('POST', blocks, { domain: 'others.example', severity: 'noop', reject_media: true });
  expect(kept()).toBe(before);
  const { body: rule } = await ask('POST', blocks, { domain: 'a.cdn.example', severity: 'noop', reject_media: true });
  expect(kept()).toBe(before);
  await ask('DELETE', `${blocks}/${rule.id}`);
  expect(kept()).toBe(before);
});

test('the host of the files may be the one that is rejected', async () => {
  const { addresses } = gateway.services;
  const shown = () => addresses.shownMedia(cdn('x.png'), 'picture', { domain: 'pictures.example' });
  const given = shown();
  const { body: rule } = await ask('POST', blocks, { domain: 'cdn.example', severity: 'noop', reject_media: true });
  expect([given, shown()]).toEqual([expect.stringContaining('/media_proxy/picture/'), undefined]);
  await ask('DELETE', `${blocks}/${rule.id}`);
  expect(shown()).toBe(given);
});

test('who allows a server need not allow the host of its files as well', async () => {
  const { addresses } = gateway.services;
  const owner = { domain: 'pictures.example' };
  const shown = (by: MediaOwner) => addresses.shownMedia(cdn('x.png'), 'picture', by) !== undefined;
  const federation = (mode: string) => ask('PUT', '/api/murmuration/v1/admin/federation', { mode });
  expect((await federation('closed')).status).toBe(422);
  expect(await federation('allow-list')).toEqual({ status: 200, body: { mode: 'allow-list' } });
  const allowed = await ask('POST', allows, { domain: owner.domain });
  expect([shown(owner), shown({ domain: 'others.example' }), shown({})]).toEqual([true, false, false]);
  await ask('DELETE', `${allows}/${allowed.body.id}`);
  expect(shown(owner)).toBe(false);
  expect(await federation('open')).toEqual({ status: 200, body: { mode: 'open' } });
});
