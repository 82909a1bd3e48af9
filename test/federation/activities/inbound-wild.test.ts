/** Activities as other servers write them, reduced to their peculiarities. */
import { describe, expect, it } from 'vitest';
import type { Activity } from '../../../src/federation/documents/acts.ts';
import { type Reading, readActivity } from '../../../src/federation/documents/read-activity.ts';
import type { RemoteNote } from '../../../src/federation/documents/read-note.ts';
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';

const publicAudience = 'https://www.w3.org/ns/activitystreams#Public';

function read(json: unknown): Reading {
  return readActivity(json as JsonObject);
}

function noteOf(json: unknown): RemoteNote {
  const act = (read(json) as Activity).acts[0];
  if (act?.kind !== 'publish' && act?.kind !== 'edit') throw new Error(`no note in ${JSON.stringify(read(json))}`);
  return act.note;
}

function create(object: unknown, more: object = {}): unknown {
  const { id, attributedTo } = object as { id: string; attributedTo: unknown };
  const actor = typeof attributedTo === 'string' ? attributedTo : 'https://remote.example/users/bob';
  return { id: `${id}/activity`, type: 'Create', actor, object, ...more };
}

describe('statuses of', () => {
  it('Mastodon', () => {
    const note = noteOf({
      '@context': [
        'https://www.w3.org/ns/activitystreams',
        { ostatus: 'http://ostatus.org#', toot: 'http://joinmastodon.org/ns#' },
      ],
      id: 'https://mastodon.example/users/bob/statuses/1/activity',
      type: 'Create',
      actor: 'https://mastodon.example/users/bob',
      published: '2024-11-05T10:00:00Z',
      to: [publicAudience],
      cc: ['https://mastodon.example/users/bob/followers'],
      object: {
        id: 'https://mastodon.example/users/bob/statuses/1',
        type: 'Note',
        summary: 'Careful',
        inReplyTo: 'https://remote.example/notes/9',
        published: '2024-11-05T10:00:00Z',
        updated: '2024-11-05T10:05:00Z',
        url: 'https://mastodon.example/@bob/1',
        attributedTo: 'https://mastodon.example/users/bob',
        to: [publicAudience],
        cc: ['https://mastodon.example/users/bob/followers', 'https://social.example/users/alice'],
        sensitive: true,
        atomUri: 'https://mastodon.example/users/bob/statuses/1',
        conversation: 'tag:mastodon.example,2024-11-05:objectId=1:objectType=Conversation',
        content: '<p>Hello</p>',
        contentMap: { de: '<p>Hello</p>' },
        attachment: [
          {
            type: 'Document',
            mediaType: 'image/jpeg',
            url: 'https://files.mastodon.example/1.jpg',
            name: 'A cat',
            blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
            focalPoint: [0.5, -0.25],
            width: 1200,
            height: 800,
          },
        ],
        tag: [
          { type: 'Mention', href: 'https://social.example/users/alice', name: '@alice@social.example' },
          { type: 'Hashtag', href: 'https://mastodon.example/tags/cats', name: '#Cats' },
          {
            id: 'https://mastodon.example/emojis/2',
            type: 'Emoji',
            name: ':blob:',
            updated: '2020-01-01T00:00:00Z',
            icon: { type: 'Image', mediaType: 'image/png', url: 'https://files.mastodon.example/blob.png' },
          },
        ],
        replies: { id: 'https://mastodon.example/users/bob/statuses/1/replies', type: 'Collection' },
      },
      signature: { type: 'RsaSignature2017', creator: 'https://mastodon.example/users/bob#main-key' },
    });
    expect(note).toMatchObject({
      uri: 'https://mastodon.example/users/bob/statuses/1',
      url: 'https://mastodon.example/@bob/1',
      authors: ['https://mastodon.example/users/bob'],
      publishedAt: Date.UTC(2024, 10, 5, 10),
      editedAt: Date.UTC(2024, 10, 5, 10, 5),
      spoilerText: 'Careful',
      sensitive: true,
      language: 'de',
      content: '<p>Hello</p>',
      inReplyTo: 'https://remote.example/notes/9',
      mentions: [{ href: 'https://social.example/users/alice', name: '@alice@social.example' }],
      hashtags: ['Cats'],
      emojis: [{ shortcode: 'blob', url: 'https://files.mastodon.example/blob.png' }],
      attachments: [
        {
          type: 'image',
          url: 'https://files.mastodon.example/1.jpg',
          mediaType: 'image/jpeg',
          description: 'A cat',
          blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
          focus: { x: 0.5, y: -0.25 },
          width: 1200,
          height: 800,
        },
      ],
      isVote: false,
    });
  });

  it('GoToSocial: single values instead of lists, the description in summary', () => {
    const note = noteOf(
      create({
        id: 'https://gts.example/users/bob/statuses/01',
        type: 'Note',
        attributedTo: 'https://gts.example/users/bob',
        to: publicAudience,
        cc: 'https://gts.example/users/bob/followers',
        content: '<p>Hello</p>',
        contentMap: { fr: '<p>Other</p>', en: '<p>Hello</p>' },
        attachment: { type: 'Image', mediaType: 'image/webp', url: 'https://gts.example/f.webp', summary: 'A dog' },
        tag: { type: 'Mention', href: 'https://social.example/users/alice', name: '@alice' },
        interactionPolicy: { canReply: { automaticApproval: publicAudience } },
      }),
    );
    expect(note).toMatchObject({
      to: [publicAudience],
      cc: ['https://gts.example/users/bob/followers'],
      language: 'en',
      attachments: [{ type: 'image', description: 'A dog' }],
      mentions: [{ href: 'https://social.example/users/alice' }],
    });
  });

  it('Misskey: markup in its own fields, a quote, an inline emoji', () => {
    const note = noteOf(
      create({
        id: 'https://misskey.example/notes/1',
        type: 'Note',
        attributedTo: 'https://misskey.example/users/b0b',
        summary: null,
        content: '<p><span>Hello</span></p>',
        _misskey_content: 'Hello',
        source: { content: 'Hello', mediaType: 'text/x.misskeymarkdown' },
        _misskey_quote: 'https://other.example/notes/2',
        quoteUrl: 'https://other.example/notes/2',
        published: '2024-11-05T10:00:00.123Z',
        to: ['https://misskey.example/users/b0b/followers'],
        cc: [publicAudience],
        inReplyTo: null,
        attachment: [],
        sensitive: false,
        tag: [
          {
            id: 'https://misskey.example/emojis/x',
            type: 'Emoji',
            name: ':x:',
            icon: { type: 'Image', url: 'https://misskey.example/x.webp' },
          },
        ],
      }),
    );
    expect(note).toMatchObject({
      publishedAt: Date.UTC(2024, 10, 5, 10, 0, 0, 123),
      spoilerText: '',
      inReplyTo: undefined,
    });
    expect(note.emojis).toMatchObject([{ shortcode: 'x' }]);
  });

  it('Akkoma: an emoji without id, links as lists of objects, the actor inlined', () => {
    const note = noteOf({
      id: 'https://akkoma.example/activities/1',
      type: 'Create',
      actor: { type: 'Person', id: 'https://akkoma.example/users/bob' },
      to: [publicAudience],
      directMessage: false,
      object: {
        id: 'https://akkoma.example/objects/1',
        type: 'Note',
        actor: 'https://akkoma.example/users/bob',
        attributedTo: 'https://akkoma.example/users/bob',
        to: [publicAudience],
        cc: [],
        content: 'Hello <img class="emoji" src="x">',
        context: 'https://akkoma.example/contexts/1',
        summary: '',
        attachment: [
          {
            type: 'Document',
            mediaType: 'video/mp4',
            url: [{ type: 'Link', href: 'https://akkoma.example/v.mp4', mediaType: 'video/mp4' }],
          },
        ],
        tag: [{ type: 'Emoji', id: null, name: 'fox', icon: { url: 'https://akkoma.example/fox.png' } }],
      },
    });
    expect(note).toMatchObject({
      attachments: [{ type: 'video', url: 'https://akkoma.example/v.mp4' }],
      emojis: [{ shortcode: 'fox' }],
    });
  });

  it('Lemmy: a page with a title and its link', () => {
    const note = noteOf(
      create({
        id: 'https://lemmy.example/post/1',
        type: 'Page',
        attributedTo: 'https://lemmy.example/u/bob',
        to: ['https://lemmy.example/c/cats', publicAudience],
        name: 'Look at <this>',
        content: '<p>Nice</p>',
        mediaType: 'text/html',
        source: { content: 'Nice', mediaType: 'text/markdown' },
        attachment: [{ type: 'Link', href: 'https://news.example/' }],
        image: { type: 'Image', url: 'https://lemmy.example/thumb.webp' },
        audience: 'https://lemmy.example/c/cats',
        published: '2024-11-05T10:00:00.123456Z',
      }),
    );
    expect(note).toMatchObject({
      title: 'Look at <this>',
      content: '<p>Nice</p>',
      attachments: [{ type: 'image', url: 'https://lemmy.example/thumb.webp' }],
    });
  });

  it('PeerTube: a video of two owners, with Markdown', () => {
    const note = noteOf({
      id: 'https://peertube.example/videos/watch/1/activity',
      type: 'Create',
      actor: 'https://peertube.example/accounts/bob',
      object: {
        id: 'https://peertube.example/videos/watch/1',
        type: 'Video',
        name: 'A film',
        duration: 'PT60S',
        mediaType: 'text/markdown',
        content: 'First line\nsecond <b>line</b>\n\nparagraph',
        attributedTo: [
          { type: 'Person', id: 'https://peertube.example/accounts/bob' },
          { type: 'Group', id: 'https://peertube.example/video-channels/films' },
        ],
        to: [publicAudience],
        icon: [
          {
            type: 'Image',
            url: 'https://peertube.example/thumb.jpg',
            mediaType: 'image/jpeg',
            width: 280,
            height: 157,
          },
        ],
        url: [
          { type: 'Link', mediaType: 'video/mp4', href: 'https://peertube.example/1.mp4' },
          { type: 'Link', mediaType: 'text/html', href: 'https://peertube.example/w/1' },
          { type: 'Link', mediaType: 'application/x-bittorrent;x-scheme-handler/magnet', href: 'magnet:?xt=1' },
        ],
      },
    });
    expect(note).toMatchObject({
      title: 'A film',
      url: 'https://peertube.example/w/1',
      content: '<p>First line<br>second &lt;b&gt;line&lt;/b&gt;</p><p>paragraph</p>',
      authors: ['https://peertube.example/accounts/bob', 'https://peertube.example/video-channels/films'],
      attachments: [
        {
          type: 'video',
          url: 'https://peertube.example/1.mp4',
          previewUrl: 'https://peertube.example/thumb.jpg',
          duration: 60,
        },
      ],
    });
  });

  it('WordPress: an article whose id has a query', () => {
    const note = noteOf(
      create({
        id: 'https://blog.example/?p=1',
        type: 'Article',
        attributedTo: 'https://blog.example/?author=1',
        name: 'Title',
        summary: 'Excerpt',
        content: '<p>Text</p>',
        to: [publicAudience],
      }),
    );
    expect(note).toMatchObject({
      uri: 'https://blog.example/?p=1',
      title: 'Title',
      spoilerText: '',
      content: '<p>Text</p>',
    });
  });
});

describe('what is left out of a status', () => {
  const base = { id: 'https://remote.example/notes/1', type: 'Note', attributedTo: 'https://remote.example/users/bob' };
  it.each<[string, object, object]>([
    ['a page on another host', { url: 'https://evil.example/' }, { url: undefined }],
    ['a time that is none', { published: 'yesterday' }, { publishedAt: undefined }],
    ['a time outside of the calendar', { published: '+099999-01-01T00:00:00Z' }, { publishedAt: undefined }],
    [
      'an edit at the time of publication',
      { published: '2024-01-01T00:00:00Z', updated: '2024-01-01T00:00:00Z' },
      { editedAt: undefined },
    ],
    ['a language that is none', { content: 'x', contentMap: { 'not a language': 'x' } }, { language: undefined }],
    [
      'authors of other hosts',
      { attributedTo: ['https://evil.example/users/x', base.attributedTo] },
      { authors: [base.attributedTo] },
    ],
    [
      'a blurhash of the wrong length',
      { attachment: { type: 'Image', url: 'https://remote.example/1', blurhash: 'UBL_:r' } },
      { attachments: [{ blurhash: undefined }] },
    ],
    [
      'a focus outside of the picture',
      { attachment: { type: 'Image', url: 'https://remote.example/1', focalPoint: [2, 0] } },
      { attachments: [{ focus: undefined }] },
    ],
    [
      'links among the attachments',
      { attachment: [{ type: 'Link', href: 'https://news.example/' }] },
      { attachments: [] },
    ],
    [
      'tags that are not known',
      { tag: [{ type: 'Link', href: 'x' }, null, 'x', { type: 'Mention' }] },
      { mentions: [], hashtags: [] },
    ],
    ['content that is no text', { content: { html: 'x' } }, { content: '' }],
  ])('%s', (_name, object, expected) => {
    expect(noteOf(create({ ...base, ...object }))).toMatchObject(expected);
  });

  it('is bounded in number and length', () => {
    const many = <Value>(value: Value) => Array.from({ length: 5_000 }, () => value);
    const note = noteOf(
      create({
        ...base,
        to: many('https://remote.example/users/x'),
        tag: many({ type: 'Mention', href: 'https://remote.example/users/x' }),
        attachment: many({ type: 'Image', url: 'https://remote.example/1', name: 'x'.repeat(20_000) }),
        summary: 'x'.repeat(100_000),
        name: 'x',
      }),
    );
    expect([note.to.length, note.mentions.length, note.attachments.length]).toEqual([2_000, 100, 16]);
    expect([note.attachments[0]?.description?.length, note.spoilerText.length]).toEqual([10_000, 5_000]);
  });
});
