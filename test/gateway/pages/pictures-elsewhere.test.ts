/** Pages show pictures, films and sounds of other servers through this one; their policy allows nothing else. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { People } from '../../support/people.ts';
import { plainPost } from '../../support/plain-post.ts';
import { Site } from './site.ts';

const elsewhere = 'https://remote.example';
const file = (name: string) => `${elsewhere}/files/${name}`;
const emojis = [{ shortcode: 'parrot', url: file('parrot.gif'), staticUrl: file('parrot.png') }];
const attachments = [
  { id: 1n, type: 'image', url: file('a.png'), remoteUrl: file('a.png'), mediaType: 'image/png' },
  { id: 2n, type: 'video', url: file('b.mp4'), remoteUrl: file('b.mp4'), previewUrl: file('b.jpg') },
  { id: 3n, type: 'audio', url: file('c.mp3'), remoteUrl: file('c.mp3'), previewUrl: file('c.jpg') },
] as const;

test('nothing of a post and a profile of another server is loaded from there', async () => {
  const site = new Site();
  const [alice, { actors }] = [await site.person('alice'), site.gateway];
  const people = new People(actors);
  const bob = people.remote('bob', 'remote.example');
  people.learn(bob, { avatar: file('avatar.png'), header: file('header.png'), emojis, displayName: 'bob :parrot:' });
  const { text: content, mentions: _mentions, poll: _poll, ...plain } = plainPost('From elsewhere :parrot:');
  const receivedAt = actors.clock.now();
  const post = { ...plain, mentions: [], localMentions: [], content, uri: `${elsewhere}/1`, publishedAt: receivedAt };
  const received = { status: { ...post, emojis, attachments: [...attachments] }, receivedAt };
  const { statusId } = await actors.call(Account.receiveStatus.to(bob.id, received));
  const link = 'https://news.example/a';
  const linking = `<p><a href="${link}" rel="nofollow noopener">a</a></p>`;
  const statusWithCard = await actors.call(Account.publish.to(alice.id, plainPost('', { content: linking, link })));
  const card = { url: link, title: 'A', description: '', image: 'https://news.example/a.jpg' };
  actors.send(Account.cardFound.to(alice.id, { statusId: statusWithCard.statusId, url: link, card }));
  actors.settle();
  const pages = [`/@bob@remote.example/${statusId}`, '/@bob@remote.example', `/@alice/${statusWithCard.statusId}`];
  const shown = await Promise.all(pages.map((page) => alice.ask(page)));
  expect(shown.map(({ status }) => status)).toEqual([200, 200, 200]);
  const kinds = shown.map(({ html }) => [...html.matchAll(/\/media_proxy\/([\w-]+)\//g)].map(([, kind]) => kind!));
  expect([...new Set(kinds[0])].toSorted()).toEqual(
    expect.arrayContaining(['avatar', 'cover', 'emoji-still', 'film', 'picture', 'preview']),
  );
  expect(kinds[1]).toEqual(expect.arrayContaining(['header', 'avatar', 'emoji-still']));
  expect(kinds[2]).toContain('card');
});

test('the policy names where media are served besides, and nothing else', async () => {
  const site = new Site();
  const policyOf = async (path: string) => (await site.stranger.ask(path)).headers.get('content-security-policy');
  expect(await policyOf('/about')).toContain("img-src 'self' data:; media-src 'self';");
  Object.assign(site.gateway.services, {
    addresses: new Addresses('https://social.example', undefined, 'https://media.example', () => 'a key'),
    blobs: { readersOrigin: 'https://bucket.example' },
  });
  const sources = "'self' https://media.example https://bucket.example";
  expect(await policyOf('/about')).toContain(`img-src ${sources} data:; media-src ${sources};`);
});
