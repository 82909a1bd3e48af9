/** Activities in the forms of known servers, signed by bob. */
import { generateKeyPairSync } from 'node:crypto';
import { signDocument } from '../../../src/federation/document-signatures/sign-document.ts';
import type { JsonObject, JsonValue } from '../../../src/outbound/fetcher/json.ts';
import { documentsHere } from '../../support/only.ts';

export const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const now = Date.parse('2026-01-01T12:00:00Z');
export const bob = 'https://remote.example/users/bob';
export const keyId = `${bob}#main-key`;
export const noteId = 'https://remote.example/users/bob/statuses/1';

/** As Mastodon writes it. */
export const mastodonContext: JsonValue = [
  'https://www.w3.org/ns/activitystreams',
  {
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    conversation: 'ostatus:conversation',
    sensitive: 'as:sensitive',
    toot: 'http://joinmastodon.org/ns#',
    votersCount: 'toot:votersCount',
    blurhash: 'toot:blurhash',
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
    Hashtag: 'as:Hashtag',
    Emoji: 'toot:Emoji',
  },
];

export const note: JsonObject = {
  id: noteId,
  type: 'Note',
  attributedTo: bob,
  published: '2026-01-01T12:00:00Z',
  to: ['https://www.w3.org/ns/activitystreams#Public'],
  cc: [`${bob}/followers`, 'https://social.example/users/alice'],
  sensitive: true,
  summary: 'beware',
  inReplyTo: null,
  atomUri: noteId,
  conversation: 'tag:remote.example,2026:1',
  content: '<p>Hello <b>world</b> "quoted" \\ and\nmore</p>',
  contentMap: { en: '<p>Hello <b>world</b> "quoted" \\ and\nmore</p>' },
  attachment: [
    {
      type: 'Document',
      mediaType: 'image/png',
      url: 'https://remote.example/1.png',
      name: 'a picture',
      blurhash: 'UBL_:rOpGG-;~qRjWBay',
      focalPoint: [0.25, -0.5],
      width: 100,
      height: 50,
    },
  ],
  tag: [
    { type: 'Mention', href: 'https://social.example/users/alice', name: '@alice@social.example' },
    { type: 'Hashtag', href: 'https://remote.example/tags/one', name: '#one' },
  ],
  replies: {
    id: `${noteId}/replies`,
    type: 'Collection',
    first: { type: 'CollectionPage', next: `${noteId}/replies?page=1`, partOf: `${noteId}/replies`, items: [] },
  },
};

export const create: JsonObject = {
  '@context': mastodonContext,
  id: `${noteId}/activity`,
  type: 'Create',
  actor: bob,
  published: '2026-01-01T12:00:00Z',
  to: note.to,
  cc: note.cc,
  object: note,
};

export function signedByBob(document: JsonObject, createdAt = now): Promise<JsonObject> {
  return signDocument(documentsHere, document, { signer: { keyId, privateKey: keyPair.privateKey }, createdAt });
}
