/** People of other servers, and what they send, in the form of Mastodon. */
import { createHash, type KeyObject, sign } from 'node:crypto';
import { addressOf } from './addresses.ts';

export interface RemotePerson {
  /** The host[:port] of the server. */
  readonly host: string;
  readonly username: string;
  readonly uri: string;
  readonly keyId: string;
}

export function remotePerson(number: number, port: number): RemotePerson {
  const host = `${addressOf(number)}:${port}`;
  const username = `remote${number}`;
  const uri = `http://${host}/users/${username}`;
  return { host, username, uri, keyId: `${uri}#main-key` };
}

export interface Mentioned {
  readonly username: string;
  readonly uri: string;
  readonly url: string;
}

export interface CreateToSend {
  /** Part of its address, such as a marker. */
  readonly number: number | string;
  /** Milliseconds since 1970, whole seconds. */
  readonly publishedAt: number;
  readonly mentioned: readonly Mentioned[];
}

const publicAudience = 'https://www.w3.org/ns/activitystreams#Public';
const mastodonContext = [
  'https://www.w3.org/ns/activitystreams',
  {
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
    conversation: 'ostatus:conversation',
    sensitive: 'as:sensitive',
    toot: 'http://joinmastodon.org/ns#',
    votersCount: 'toot:votersCount',
  },
  'https://w3id.org/security/v1',
];
/** Some 250 characters, so that with mentions and link there are 300. */
const sentences =
  'Low water at six this morning, and the sandbank was out as far as the second marker. Three seals, one of them very young, watched us launch as if we had come to ask them something. The wind has gone round to the west, so tomorrow we try the channel.';

export function noteUriOf({ uri }: RemotePerson, number: number | string): string {
  return `${uri}/statuses/${number}`;
}

/** The Create of a public status of 300 characters with one link and two mentions, linked-data signature included. */
export function createActivity(author: RemotePerson, { number, publishedAt, mentioned }: CreateToSend): string {
  const { host, uri, keyId } = author;
  const id = noteUriOf(author, number);
  const published = new Date(publishedAt).toISOString().replace('.000Z', 'Z');
  const to = [publicAudience];
  const cc = [`${uri}/followers`, ...mentioned.map((account) => account.uri)];
  const names = mentioned.map(
    ({ username, url }) =>
      `<span class="h-card" translate="no"><a href="${url}" class="u-url mention">@<span>${username}</span></a></span>`,
  );
  const link = `https://tides.example/${number}`;
  const content = `<p>${names.join(' ')} ${sentences} <a href="${link}" target="_blank" rel="nofollow noopener noreferrer" translate="no"><span class="invisible">https://</span><span class="">tides.example/${number}</span><span class="invisible"></span></a></p>`;
  return JSON.stringify({
    '@context': mastodonContext,
    id: `${id}/activity`,
    type: 'Create',
    actor: uri,
    published,
    to,
    cc,
    object: {
      id,
      type: 'Note',
      summary: null,
      inReplyTo: null,
      published,
      url: `http://${host}/@${author.username}/${number}`,
      attributedTo: uri,
      to,
      cc,
      sensitive: false,
      atomUri: id,
      inReplyToAtomUri: null,
      conversation: `tag:${host},2026-01-01:objectId=${number}:objectType=Conversation`,
      content,
      contentMap: { en: content },
      attachment: [],
      tag: mentioned.map(({ username, uri: href }) => ({ type: 'Mention', href, name: `@${username}` })),
      replies: {
        id: `${id}/replies`,
        type: 'Collection',
        first: {
          type: 'CollectionPage',
          next: `${id}/replies?only_other_accounts=true&page=true`,
          partOf: `${id}/replies`,
          items: [],
        },
      },
    },
    signature: {
      type: 'RsaSignature2017',
      creator: keyId,
      created: published,
      // Servers that trust the signature of the request do not look at this one.
      signatureValue: createHash('sha512').update(id).digest('base64').repeat(4).slice(0, 344),
    },
  });
}

/** The POST of an activity to the shared inbox of a host, signed as Mastodon signs. */
export function signedPost(author: RemotePerson, privateKey: KeyObject, host: string, body: string): string {
  const date = new Date().toUTCString();
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  const contentType = 'application/activity+json';
  const names = '(request-target) host date digest content-type';
  const text = `(request-target): post /inbox\nhost: ${host}\ndate: ${date}\ndigest: ${digest}\ncontent-type: ${contentType}`;
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64');
  return [
    'POST /inbox HTTP/1.1',
    `Host: ${host}`,
    'User-Agent: Mastodon/4.5.0 (http.rb/5.3.1; +http://bench/)',
    `Date: ${date}`,
    `Digest: ${digest}`,
    `Content-Type: ${contentType}`,
    `Signature: keyId="${author.keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
