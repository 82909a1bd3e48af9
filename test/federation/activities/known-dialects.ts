/** Posts as the known kinds of servers write them, in the parts that differ, and what is stored of each. */
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';
import { publicAudience } from '../inbound-bed.ts';

export const host = 'https://remote.example';
export const bob = `${host}/users/bob`;

interface Dialect {
  /** In the place of what every object has. */
  readonly object: JsonObject;
  /** What is stored of it. */
  readonly stored: object;
}

const picture = { type: 'image', url: `${host}/picture.jpg` };

export const dialects: Readonly<Record<string, Dialect>> = {
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
  'Iceshrimp.NET: its markup in three places, authors in a list, and a quote that cannot be fetched': {
    object: {
      type: 'Note',
      attributedTo: [{ id: bob }],
      content: '<p>Look<br><br>RE: <a href="https://unknown.example/notes/1">https://unknown.example/notes/1</a></p>',
      source: { content: '$[x2 Look]', mediaType: 'text/x.misskeymarkdown' },
      _misskey_content: '$[x2 Look]',
      htmlMfm: true,
      quoteUri: 'https://unknown.example/notes/1',
      quoteUrl: 'https://unknown.example/notes/1',
      _misskey_quote: 'https://unknown.example/notes/1',
      context: { id: `${host}/threads/1`, type: 'Collection' },
      replies: { id: `${host}/notes/1/replies`, type: 'OrderedCollection' },
      interactionPolicy: { canQuote: { automaticApproval: [publicAudience] } },
      sensitive: true,
      summary: 'A warning',
      attachment: [{ type: 'Document', url: `${host}/picture.jpg`, mediaType: 'image/jpeg', sensitive: true }],
      tag: [
        { type: 'Hashtag', name: '#cats', href: `${host}/tags/cats` },
        { type: 'Emoji', id: `${host}/emoji/fox`, name: ':fox:', icon: { type: 'Image', url: `${host}/fox.png` } },
        {
          type: 'Link',
          rel: 'https://misskey-hub.net/ns#_misskey_quote',
          mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
          name: 'RE: https://unknown.example/notes/1',
          href: 'https://unknown.example/notes/1',
        },
      ],
    },
    stored: {
      content: ['Look'],
      spoilerText: 'A warning',
      sensitive: true,
      attachments: [picture],
      tags: [{ name: 'cats' }],
      emojis: [{ shortcode: 'fox' }],
    },
  },
  'Iceshrimp-JS: a poll without an end, as Misskey has them': {
    object: {
      type: 'Question',
      content: '<p><span>Cats?</span></p>',
      _misskey_content: 'Cats?',
      summary: null,
      sensitive: false,
      endTime: null,
      _misskey_votes: [3, 1],
      oneOf: [
        { type: 'Note', name: 'Yes', _misskey_votes: 3, replies: { type: 'Collection', totalItems: 3 } },
        { type: 'Note', name: 'No', _misskey_votes: 1, replies: { type: 'Collection', totalItems: 1 } },
      ],
    },
    stored: { content: ['Cats?'], poll: { options: ['Yes', 'No'], multiple: false } },
  },
  'Bonfire: an article under a title, with an inlined conversation and mentions by bare names': {
    object: {
      type: 'Article',
      id: `${host}/pub/objects/01J0000000000000000000000`,
      actor: bob,
      name: 'A title',
      summary: 'What it is about',
      content: '<p>The text</p>',
      indexable: false,
      context: { type: 'Note', id: `${host}/pub/objects/01J0000000000000000000001` },
      attachment: [{ type: 'Document', mediaType: 'image/jpeg', url: `${host}/picture.jpg`, name: null }],
      tag: [
        { type: 'Mention', name: 'carol', href: 'https://other.example/pub/actors/carol' },
        { type: 'Hashtag', name: '#cats', href: `${host}/hashtag/cats` },
      ],
    },
    stored: {
      content: ['<p><strong>A title</strong></p>', '<p>The text</p>'],
      spoilerText: '',
      attachments: [picture],
      tags: [{ name: 'cats' }],
    },
  },
  'Mitra: a proof, an object link and a conversation as a collection': {
    object: {
      type: 'Note',
      content: '<p>Hello</p>',
      context: `${host}/collections/conversations/1`,
      contextHistory: `${host}/collections/conversations/1/history`,
      sensitive: false,
      replies: `${host}/objects/1/replies`,
      attachment: [{ type: 'Document', name: null, mediaType: 'image/jpeg', url: `${host}/picture.jpg` }],
      tag: [
        {
          type: 'Link',
          name: 'RE: https://unknown.example/objects/1',
          href: 'https://unknown.example/objects/1',
          mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
          rel: ['https://misskey-hub.net/ns#_misskey_quote'],
        },
        { type: 'Hashtag', name: '#cats', href: `${host}/collections/tags/cats` },
      ],
      proof: {
        type: 'DataIntegrityProof',
        cryptosuite: 'eddsa-jcs-2022',
        verificationMethod: `${bob}#ed25519-key`,
        proofPurpose: 'assertionMethod',
        proofValue: 'z0',
        created: '2025-01-01T11:00:00.123456789Z',
      },
    },
    stored: { content: ['Hello'], attachments: [picture], tags: [{ name: 'cats' }] },
  },
  'NodeBB: the title of a topic, its category, and a file whose link has no href': {
    object: {
      type: 'Note',
      id: `${host}/post/7`,
      url: `${host}/post/7`,
      name: 'A topic',
      summary: null,
      content: '<p dir="auto">The first post</p>\n',
      source: { content: 'The first post', mediaType: 'text/markdown' },
      context: `${host}/topic/3`,
      audience: `${host}/category/2`,
      updated: null,
      inReplyTo: null,
      replies: `${host}/post/7/replies`,
      tag: [{ type: 'Hashtag', href: `${host}/tags/cats`, name: '#cats' }],
      attachment: [
        { type: 'Image', mediaType: 'image/jpeg', url: `${host}/picture.jpg`, width: 10, height: 20 },
        { type: 'Link', mediaType: null, url: `${host}/file.zip` },
      ],
    },
    stored: { content: ['The first post'], spoilerText: '', attachments: [picture], tags: [{ name: 'cats' }] },
  },
};
