/** What the known kinds of servers send, from the request to the status that is read here. */
import { describe, expect, it } from 'vitest';
import { readActivity } from '../../../src/federation/documents/read-activity.ts';
import { readActor } from '../../../src/federation/documents/read-actor.ts';
import type { JsonObject, JsonValue } from '../../../src/outbound/fetcher/json.ts';
import { mergedHome } from '../../support/merged-home.ts';
import { aliceFollowsBob, InboundBed, publicAudience } from '../inbound-bed.ts';

const host = 'https://remote.example';
const bob = `${host}/users/bob`;

interface Dialect {
  /** In the place of what every object has. */
  readonly object: JsonObject;
  /** What is stored of it. */
  readonly stored: object;
}

const picture = { type: 'image', url: `${host}/picture.jpg` };

const dialects: Readonly<Record<string, Dialect>> = {
  'Mobilizon: an event with its place in parts': {
    object: {
      type: 'Event',
      name: 'Reading <aloud>',
      content: '<p>Bring a book.</p>',
      mediaType: 'text/html',
      startTime: '2026-12-01T19:00:00+01:00',
      endTime: '2026-12-01T21:30:00+01:00',
      timezone: 'Europe/Berlin',
      joinMode: 'free',
      category: 'BOOK_CLUBS',
      location: {
        type: 'Place',
        name: 'Town Hall',
        address: { type: 'PostalAddress', streetAddress: 'Main Street 1', addressLocality: 'Berlin' },
        latitude: 52.5,
        longitude: 13.4,
      },
      attachment: [{ type: 'Document', mediaType: 'image/jpeg', url: `${host}/picture.jpg`, name: 'Banner' }],
      url: `${host}/events/1`,
    },
    stored: {
      content: [
        '<p><strong>Reading &lt;aloud&gt;</strong></p>',
        '<p>2026-12-01 19:00 – 21:30 UTC+01:00 · Town Hall, Main Street 1, Berlin</p>',
        '<p>Bring a book.</p>',
      ],
      attachments: [picture],
    },
  },
  'Gancio: an event of several days, its place as text': {
    object: {
      type: 'Event',
      name: 'Festival',
      startTime: '2026-12-01T19:00:00.000Z',
      endTime: '2026-12-03T02:00:00.000Z',
      location: { type: 'Place', name: 'Park', address: 'Park' },
    },
    stored: { content: ['<p>2026-12-01 19:00 – 2026-12-03 02:00 UTC · Park</p>'] },
  },
  'Lemmy: a post about a page': {
    object: {
      type: 'Page',
      name: 'Look at this',
      content: '<p>Nice</p>',
      source: { content: 'Nice', mediaType: 'text/markdown' },
      attachment: [{ type: 'Link', href: 'https://news.example/article' }],
      image: { type: 'Image', url: `${host}/picture.jpg` },
      audience: `${host}/c/cats`,
      tag: { type: 'Mention', href: `${host}/c/cats`, name: '@cats@remote.example' },
    },
    stored: {
      content: ['<p><strong>Look at this</strong></p><p>Nice</p>', 'href="https://news.example/article"'],
      attachments: [picture],
    },
  },
  'PeerTube: a live video with all of its addresses': {
    object: {
      type: 'Video',
      name: 'A film',
      duration: 'PT60S',
      mediaType: 'text/markdown',
      content: 'About the *film*',
      attributedTo: [
        { type: 'Person', id: bob },
        { type: 'Group', id: `${host}/video-channels/films` },
      ],
      icon: [{ type: 'Image', url: `${host}/picture.jpg`, mediaType: 'image/jpeg' }],
      url: [
        { type: 'Link', mediaType: 'text/html', href: `${host}/w/1` },
        { type: 'Link', mediaType: 'application/x-mpegURL', href: `${host}/1.m3u8`, tag: [] },
        { type: 'Link', mediaType: 'application/x-bittorrent;x-scheme-handler/magnet', href: 'magnet:?xt=1' },
        { type: 'Link', mediaType: 'video/mp4', href: `${host}/1.mp4`, height: 720 },
      ],
    },
    stored: {
      content: ['<p><strong>A film</strong></p><p>About the *film*</p>', `href="${host}/w/1"`],
      url: `${host}/w/1`,
      attachments: [{ type: 'video', url: `${host}/1.mp4`, previewUrl: `${host}/picture.jpg`, duration: 60 }],
    },
  },
  'Funkwhale: a sound': {
    object: { type: 'Audio', name: 'A song', url: { type: 'Link', mediaType: 'audio/ogg', href: `${host}/1.ogg` } },
    stored: { content: ['<p><strong>A song</strong></p>'], attachments: [{ type: 'audio', url: `${host}/1.ogg` }] },
  },
  'Pixelfed: pictures with a place, and what it does not allow': {
    object: {
      type: 'Note',
      content: 'A picture',
      sensitive: false,
      commentsEnabled: false,
      capabilities: { announce: publicAudience, like: publicAudience, reply: null },
      location: { type: 'Place', name: 'Berlin', country: 'Germany' },
      attachment: [{ type: 'Image', mediaType: 'image/jpeg', url: `${host}/picture.jpg`, name: 'A cat', width: 10 }],
    },
    stored: { content: ['A picture'], attachments: [{ ...picture, description: 'A cat' }] },
  },
  'BookWyrm: a review, as others are sent it': {
    object: {
      type: 'Article',
      name: 'Review of "A Book" (4 stars): Good',
      content: '<p>I liked it.</p>',
      attachment: [{ type: 'Document', url: `${host}/picture.jpg`, name: 'Cover' }],
      sensitive: false,
    },
    stored: { content: ['Review of &quot;A Book&quot; (4 stars): Good', '<p>I liked it.</p>'], attachments: [picture] },
  },
  'WordPress: an article, whose excerpt is no warning': {
    object: {
      type: 'Article',
      name: 'Title',
      summary: 'Excerpt',
      content: '<h2>Part</h2><p>Text</p>',
      preview: { type: 'Note', content: '<p>Excerpt</p>' },
      image: { type: 'Image', mediaType: 'image/jpeg', url: `${host}/picture.jpg` },
    },
    stored: { spoilerText: '', content: ['<p><strong>Title</strong></p>', 'Text'], attachments: [picture] },
  },
  'Ghost: an article whose picture is an address': {
    object: {
      type: 'Article',
      name: 'Title',
      content: '<p>Text</p>',
      preview: { type: 'Note', content: 'Excerpt' },
      image: `${host}/picture.jpg`,
    },
    stored: { content: ['<p><strong>Title</strong></p><p>Text</p>'], attachments: [picture] },
  },
  'Misskey: its markup beside HTML, and a quote that cannot be fetched': {
    object: {
      type: 'Note',
      content: '<p><span>Hello</span></p>',
      _misskey_content: '$[x2 Hello]',
      source: { content: '$[x2 Hello]', mediaType: 'text/x.misskeymarkdown' },
      quoteUrl: 'https://unknown.example/notes/1',
      _misskey_quote: 'https://unknown.example/notes/1',
      tag: [{ type: 'Emoji', id: null, name: ':fox:', icon: { type: 'Image', url: `${host}/fox.png` } }],
    },
    stored: { content: ['Hello'], emojis: [{ shortcode: 'fox' }] },
  },
  'Sharkey: a text in two forms, and a place for what it replaces': {
    object: {
      type: 'Note',
      summary: null,
      content: '<p><i>hello</i> <span>there</span></p>',
      _misskey_content: '$[tada hello] there',
      source: { content: '$[tada hello] there', mediaType: 'text/x.misskeymarkdown' },
      _misskey_summary: null,
      quoteUri: null,
      speakAsCat: true,
      attachment: [
        { type: 'Document', mediaType: 'image/jpeg', url: `${host}/picture.jpg`, name: null, sensitive: false },
      ],
      sensitive: false,
      tag: [],
    },
    stored: { content: ['hello', 'there'], attachments: [picture], sensitive: false },
  },
  'Pleroma: one value where others have a list, and its own words for a conversation': {
    object: {
      type: 'Note',
      actor: bob,
      content: 'hello<br>there',
      source: 'hello\nthere',
      conversation: `${host}/contexts/1`,
      context: `${host}/contexts/1`,
      emoji: { blob: `${host}/blob.png` },
      attachment: {
        type: 'Document',
        mediaType: 'image/jpeg',
        url: [{ type: 'Link', mediaType: 'image/jpeg', href: `${host}/picture.jpg` }],
      },
      tag: { type: 'Hashtag', name: '#cats', href: `${host}/tag/cats` },
      sensitive: null,
      summary: '',
      to: publicAudience,
      cc: [`${bob}/followers`],
      repliesCount: 0,
    },
    stored: { content: ['hello<br>there'], attachments: [picture], tags: [{ name: 'cats', display: 'cats' }] },
  },
  'Akkoma: a context that nobody can fetch': {
    object: {
      type: 'Note',
      content: 'Hello',
      context: `${host}/contexts/1`,
      conversation: `${host}/contexts/1`,
      contentMap: { en: 'Hello' },
      source: { content: 'Hello', mediaType: 'text/plain' },
      formerRepresentations: { type: 'OrderedCollection', totalItems: 0, orderedItems: [] },
    },
    stored: { content: ['Hello'], language: 'en' },
  },
  'Friendica: a note with a title and BBCode': {
    object: {
      type: 'Note',
      name: 'Title',
      content: 'Hello <b>world</b>',
      source: { content: '[b]world[/b]', mediaType: 'text/bbcode' },
      diaspora_guid: '1',
      summary: null,
      generator: { type: 'Application', name: 'Friendica' },
    },
    stored: { content: ['Hello <b>world</b>'], spoilerText: '' },
  },
  'Hubzilla: a proof that nobody asked for, and tags of its own': {
    object: {
      type: 'Note',
      content: 'Hello',
      summary: '',
      tag: [
        { type: 'Hashtag', id: `${host}/tags/cats`, name: '#cats' },
        { type: 'Bookmark', name: 'x' },
      ],
      attachment: [{ type: 'PropertyValue', name: 'zot.event.v1', value: '{}' }],
      proof: { type: 'DataIntegrityProof', cryptosuite: 'eddsa-jcs-2022' },
    },
    stored: { content: ['Hello'], tags: [{ name: 'cats' }], attachments: [] },
  },
  'Threads: a post with a quote permission of its own': {
    object: {
      type: 'Note',
      content: '<p>Hello</p>',
      contentMap: { en: '<p>Hello</p>' },
      updated: '2025-01-01T11:00:00Z',
      attachment: [{ type: 'Image', url: `${host}/picture.jpg`, name: '' }],
    },
    stored: { content: ['Hello'], attachments: [picture], language: 'en' },
  },
  'Bridgy Fed: a post of Bluesky, whose id contains another address': {
    object: {
      id: `${host}/convert/ap/at://did:plc:abc/app.bsky.feed.post/1`,
      type: 'Note',
      content: '<p>Hello</p>',
      url: ['https://bsky.app/profile/bob/post/1', `${host}/r/https://bsky.app/profile/bob/post/1`],
    },
    stored: { content: ['Hello'], url: `${host}/r/https://bsky.app/profile/bob/post/1` },
  },
  'GoToSocial: who may do what': {
    object: {
      type: 'Note',
      content: '<p>Hello</p>',
      interactionPolicy: {
        canLike: { automaticApproval: publicAudience, manualApproval: [] },
        canReply: { always: [publicAudience], approvalRequired: [] },
        canAnnounce: { automaticApproval: [], manualApproval: [publicAudience] },
      },
      attachment: { type: 'Image', url: `${host}/picture.jpg`, mediaType: 'image/jpeg', summary: 'A cat' },
    },
    stored: { content: ['Hello'], attachments: [{ ...picture, description: 'A cat' }] },
  },
};

function activityOf(object: JsonObject) {
  const whole = {
    id: `${host}/objects/1`,
    attributedTo: bob,
    to: [publicAudience],
    cc: [`${bob}/followers`],
    published: '2025-01-01T11:00:00Z',
    ...object,
  };
  return { id: `${whole.id}#create`, type: 'Create', actor: bob, to: whole.to, cc: whole.cc, object: whole };
}

describe('a post of', () => {
  it.each(Object.entries(dialects))('%s', async (_name, { object, stored }) => {
    const { bed, alice, bob: author } = await aliceFollowsBob();
    const activity = activityOf(object);
    expect(await bed.send(author, activity)).toBe(202);
    const status = bed.stored(activity.object.id)!;
    const { content, ...others } = stored as { content: string[] };
    expect(status).toMatchObject(others);
    for (const part of content) expect(status.content).toContain(part);
    expect(mergedHome(bed.read, alice, { limit: 5 })).toEqual([status.id]);
  });

  it.each(Object.entries(dialects))('%s, with any part of it broken, is read or left out', (_name, { object }) => {
    const broken: readonly JsonValue[] = [null, true, -1, '', 'x', [], [[]], {}, [null], { type: [] }, { id: 7 }];
    const activity = activityOf(object) as unknown as JsonObject;
    for (const level of [activity, activity.object as JsonObject])
      for (const name of Object.keys(level))
        for (const value of broken) {
          const changed = { ...level, [name]: value };
          const whole = level === activity ? changed : { ...activity, object: changed };
          expect(typeof readActivity(whole as JsonObject)).toBe('object');
        }
  });
});

describe('an actor of', () => {
  it.each([
    'Person',
    'Service',
    'Application',
    'Group',
    'Organization',
  ])('type %s is followed, and read', async (type) => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const person = bed.person('remote.example', 'bob', { type });
    await bed.follow(alice, person);
    const note = person.note('hello');
    expect(await bed.send(person, person.create(note))).toBe(202);
    expect(bed.stored(note.id)).toBeDefined();
  });

  it('any kind, with any part of it broken, is read or left out', () => {
    const document = new InboundBed().person('remote.example', 'bob').document as unknown as JsonObject;
    const broken: readonly JsonValue[] = [null, true, -1, '', [], {}, [null], { type: [] }];
    for (const name of [...Object.keys(document), 'assertionMethod', 'generator', 'implements', 'icon', 'attachment'])
      for (const value of broken) expect(() => readActor({ ...document, [name]: value })).not.toThrow();
  });
});

describe('a group of Lemmy', () => {
  async function followedGroup() {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const group = bed.person('lemmy.example', 'cats', { type: 'Group' });
    const author = bed.person('other.example', 'carol');
    await bed.follow(alice, group);
    const page = author.note('page', { type: 'Page', name: 'Cats' });
    bed.web.set(String(page.id), page);
    const announce = (activity: unknown) => group.activity('Announce', activity, { to: [publicAudience] });
    const homeOf = () => mergedHome(bed.read, alice, { limit: 5 });
    return { bed, group, author, page, announce, homeOf };
  }

  it('that announces a new page boosts it, as it is on its own server', async () => {
    const { bed, group, author, page, announce, homeOf } = await followedGroup();
    const create = author.create({ ...page, name: 'Dogs' });
    expect(await bed.send(group, announce(create))).toBe(202);
    expect(bed.stored(page.id)?.content).toContain('Cats');
    expect(homeOf()).toHaveLength(1);
  });

  it('that announces likes, votes and deletions of others changes nothing', async () => {
    const { bed, group, author, page, announce, homeOf } = await followedGroup();
    await bed.send(group, announce(author.create(page)));
    for (const type of ['Like', 'Dislike', 'Delete', 'Undo'])
      expect(await bed.send(group, announce(author.activity(type, page.id)))).toBe(202);
    expect(bed.stored(page.id)).toBeDefined();
    expect(homeOf()).toHaveLength(1);
  });
});
