/** What other servers ask the played ones for: actors of servers and of people, WebFinger, posts. */
import { createActivity, noteUriOf, type RemotePerson } from './people.ts';

const context = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'];
export const activityType = 'application/activity+json';
const webfingerType = 'application/jrd+json';

export interface ServedDocument {
  readonly type: string;
  readonly body: string;
}

export interface ServerActor {
  readonly uri: string;
  readonly keyId: string;
  readonly inbox: string;
}

/** The actor that speaks for a whole server, as Mastodon's instance actor does. */
export function serverActorOf({ host }: RemotePerson): ServerActor {
  const uri = `http://${host}/actor`;
  return { uri, keyId: `${uri}#main-key`, inbox: `${uri}/inbox` };
}

/** Undefined where there is nothing under this path. */
export function documentAt(
  person: RemotePerson,
  publicKeyPem: string,
  path: string,
  query: string,
): ServedDocument | undefined {
  const { host, username, uri, keyId } = person;
  const server = serverActorOf(person);
  if (path === '/actor') return actor({ ...server, type: 'Application', username: host, host, publicKeyPem });
  if (path === `/users/${username}`)
    return actor({ uri, keyId, inbox: `${uri}/inbox`, type: 'Person', username, host, publicKeyPem });
  if (path === '/.well-known/webfinger') return webfinger(person, query);
  const [, number] = new RegExp(`^/users/${username}/statuses/([^/]+)$`).exec(path) ?? [];
  if (number !== undefined) return note(person, number);
  return undefined;
}

function actor(input: {
  readonly uri: string;
  readonly keyId: string;
  readonly inbox: string;
  readonly type: 'Application' | 'Person';
  readonly username: string;
  readonly host: string;
  readonly publicKeyPem: string;
}): ServedDocument {
  const { uri, keyId, inbox, type, username, host, publicKeyPem } = input;
  return json(activityType, {
    '@context': context,
    id: uri,
    type,
    preferredUsername: username,
    name: username,
    inbox,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    url: uri,
    discoverable: true,
    indexable: true,
    endpoints: { sharedInbox: `http://${host}/inbox` },
    publicKey: { id: keyId, owner: uri, publicKeyPem },
  });
}

function webfinger({ host, username, uri }: RemotePerson, query: string): ServedDocument | undefined {
  const resource = new URLSearchParams(query).get('resource');
  const subject = `acct:${username}@${host}`;
  if (resource !== subject && resource !== uri) return undefined;
  return json(webfingerType, {
    subject,
    links: [{ rel: 'self', type: activityType, href: uri }],
  });
}

/** As it was sent; it says when it was asked for as its date. */
function note(person: RemotePerson, number: string): ServedDocument {
  const publishedAt = Math.floor(Date.now() / 1_000) * 1_000;
  const { object } = JSON.parse(createActivity(person, { number, publishedAt, mentioned: [] })) as { object: object };
  return json(activityType, { '@context': context, ...object });
}

export function followOf(follower: string, object: string): { readonly id: string; readonly body: string } {
  const id = `${follower}#follow`;
  return {
    id,
    body: JSON.stringify({ '@context': context[0], id, type: 'Follow', actor: follower, object }),
  };
}

/** Of a Follow of the actor, by its id. */
export function acceptOf(actor: string, followId: string): string {
  return JSON.stringify({
    '@context': context[0],
    id: `${actor}#accept`,
    type: 'Accept',
    actor,
    object: followId,
  });
}

export function undoFollowOf(follower: string, object: string): string {
  const follow = { id: followOf(follower, object).id, type: 'Follow', actor: follower, object };
  return JSON.stringify({
    '@context': context[0],
    id: `${follow.id}-undo`,
    type: 'Undo',
    actor: follower,
    object: follow,
  });
}

/** A post of a person without a signature of its own in the document, whose number is part of its address. */
export function createOf(
  person: RemotePerson,
  number: string,
  mentioned: Parameters<typeof createActivity>[1]['mentioned'],
) {
  const publishedAt = Math.floor(Date.now() / 1_000) * 1_000;
  return { id: noteUriOf(person, number), body: createActivity(person, { number, publishedAt, mentioned }) };
}

function json(type: string, value: object): ServedDocument {
  return { type, body: JSON.stringify(value) };
}
