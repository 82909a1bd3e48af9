import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { readActor } from '../../src/federation/documents/read-actor.ts';
import { readNote } from '../../src/federation/documents/read-note.ts';
import { activityPubRoutes } from '../../src/gateway/activitypub/activitypub.routes.ts';
import { bytes } from '../../src/gateway/http/answers.ts';
import { ownMedia } from '../support/own-media.ts';
import { plainPost } from '../support/plain-post.ts';
import { home, InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';
import { signedGetHeaders } from './signed-headers.ts';

const activity = { headers: { accept: 'application/activity+json' } };

async function withAlice() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  return { bed, alice };
}

type Json = Record<string, unknown> & { orderedItems?: unknown[] };

async function getJson(bed: InboundBed, path: string, headers: Record<string, string> = {}): Promise<Json> {
  const response = await bed.gateway.fetch(path, { headers: { ...activity.headers, ...headers } });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Json;
}

describe('an actor', () => {
  it('can be read by our own reader and by any other', async () => {
    const { bed, alice } = await withAlice();
    await bed.gateway.actors.call(
      Account.changeProfile.to(alice, {
        displayName: 'Alice',
        noteHtml: '<p>Hi</p>',
        locked: true,
        discoverable: true,
        fields: [{ name: 'Site', value: 'https://alice.example', html: '<a href="https://alice.example">x</a>' }],
      }),
    );
    const document = await getJson(bed, '/users/alice');
    expect(document['@context']).toEqual(
      expect.arrayContaining(['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']),
    );
    expect(document).toMatchObject({
      id: `${home}/users/alice`,
      type: 'Person',
      webfinger: 'alice@social.example',
      published: '2025-01-01T00:00:00Z',
      featured: `${home}/users/alice/collections/featured`,
      publicKey: { id: `${home}/users/alice#main-key`, owner: `${home}/users/alice` },
      attachment: [{ type: 'PropertyValue', name: 'Site' }],
    });
    expect(readActor(document as never)).toMatchObject({
      username: 'alice',
      displayName: 'Alice',
      note: '<p>Hi</p>',
      locked: true,
      discoverable: true,
      url: `${home}/@alice`,
      inbox: `${home}/users/alice/inbox`,
      sharedInbox: `${home}/inbox`,
      keys: [
        { id: `${home}/users/alice#main-key`, text: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/) },
        { id: `${home}/users/alice#ed25519-key`, text: expect.stringMatching(/^z6Mk/) },
      ],
      signsMessages: true,
    });
  });

  it('keeps its key, and shows a change at once', async () => {
    const { bed, alice } = await withAlice();
    const [first, second] = await Promise.all([getJson(bed, '/users/alice'), getJson(bed, '/users/alice')]);
    expect(second).toEqual(first);
    await bed.gateway.actors.call(Account.changeProfile.to(alice, { displayName: 'Alicia' }));
    expect(await getJson(bed, '/users/Alice')).toEqual({ ...first, name: 'Alicia' });
  });

  it('is answered with headers for caches, and 304 for those who have it', async () => {
    const { bed } = await withAlice();
    const response = await bed.gateway.fetch('/users/alice', activity);
    expect(response.headers.get('content-type')).toBe('application/activity+json; charset=utf-8');
    expect(response.headers.get('vary')).toBe('Accept, Signature');
    expect(response.headers.get('cache-control')).toBe('public, max-age=180');
    const etag = response.headers.get('etag')!;
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await bed.gateway.fetch('/users/alice', {
        headers: { ...activity.headers, 'if-none-match': given },
      });
      expect([given, again.status]).toEqual([given, 304]);
    }
  });

  it.each([
    [404, '/users/nobody'],
    [404, '/users/carol'],
    [200, '/users/dave'],
    [403, '/users/dave/outbox'],
    [403, '/users/dave/followers'],
    [403, '/users/dave/statuses/1'],
    [403, '/users/dave/quote_authorizations/1'],
    [200, '/@dave'],
    [404, '/@bob@remote.example'],
  ])('answers %d at %s', async (status, path) => {
    const { bed } = await withAlice();
    await bed.local('carol', { confirmed: false });
    const dave = await bed.local('dave');
    await bed.know(bed.person('remote.example', 'bob'));
    await bed.gateway.actors.call(Account.changeLogin.to(dave, { suspended: true }));
    expect((await bed.gateway.fetch(path, activity)).status).toBe(status);
  });

  it('of the server itself is there without a signature, under its own name', async () => {
    const { bed } = await withAlice();
    const document = await getJson(bed, '/actor');
    expect(readActor(document as never)).toMatchObject({
      type: 'Application',
      inbox: `${home}/actor/inbox`,
      locked: true,
    });
    expect(await getJson(bed, '/actor/outbox')).toMatchObject({ totalItems: 0, orderedItems: [] });
    const jrd = await getJson(bed, '/.well-known/webfinger?resource=acct:social.example@social.example');
    expect(jrd).toMatchObject({ links: [{ rel: 'self', href: `${home}/actor` }] });
  });
});

describe('browsers and servers', () => {
  const accepts: [string, 'document' | 'page'][] = [
    ['application/activity+json', 'document'],
    ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', 'document'],
    ['application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"', 'document'],
    ['application/json', 'document'],
    ['text/html;q=0.5, application/activity+json', 'document'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'page'],
    ['text/html, application/activity+json;q=0.1', 'page'],
    ['application/activity+json;q=0', 'page'],
    ['*/*', 'page'],
  ];

  it.each(accepts)('get what they ask for: %s', async (accept, expected) => {
    const { bed, alice } = await withAlice();
    const statusId = await bed.publish(alice, 'Hello');
    for (const path of ['/users/alice', `/users/alice/statuses/${statusId}`]) {
      const response = await bed.gateway.fetch(path, { headers: { accept } });
      expect(response.status).toBe(expected === 'document' ? 200 : 302);
      const page = path.replace('/users/', '/@').replace('/statuses/', '/');
      expect(response.headers.get('location')).toBe(expected === 'document' ? null : `${home}${page}`);
    }
    for (const path of ['/@alice', `/@alice/${statusId}`]) {
      const response = await bed.gateway.fetch(path, { headers: { accept } });
      expect(response.status).toBe(expected === 'document' ? 200 : 406);
    }
  });

  it('get the document where the path ends in .json, and find an @ that is percent-encoded', async () => {
    const { bed, alice } = await withAlice();
    const statusId = await bed.publish(alice, 'Hello');
    const headers = { accept: 'text/html' };
    for (const path of ['/users/alice', `/users/alice/statuses/${statusId}`, '/@alice', `/%40alice/${statusId}`]) {
      const response = await bed.gateway.fetch(`${path}.json`, { headers });
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toContain('application/activity+json');
    }
    expect((await bed.gateway.fetch('/users/nobody.json', { headers })).status).toBe(404);
  });

  it.each(['0', '1', 'word', '%00', '-1'])('find no status %s, in whatever form', async (id) => {
    const { bed } = await withAlice();
    for (const accept of ['text/html', 'application/activity+json'])
      expect((await bed.gateway.fetch(`/users/alice/statuses/${id}`, { headers: { accept } })).status).toBe(404);
  });

  it('are served at the same addresses, pages by the handlers that were passed in', async () => {
    const page = () => bytes('<p>', { contentType: 'text/html' });
    const paths = activityPubRoutes({ profile: page, status: page })
      .filter(({ path }) => path.startsWith('/@'))
      .map(({ path }) => path);
    expect(paths).toEqual(['/@:name', '/@:name/:id']);
  });
});

describe('a status', () => {
  it('can be read by our own reader', async () => {
    const { bed, alice } = await withAlice();
    const bob = bed.person('remote.example', 'bob');
    const bobId = await bed.know(bob);
    const parent = await bed.publish(alice, 'First');
    const { statusId } = await bed.gateway.actors.call(
      Account.publish.to(
        alice,
        plainPost('Second', {
          visibility: 'unlisted',
          spoilerText: 'Careful',
          sensitive: true,
          language: 'en',
          inReplyToId: parent,
          inReplyToAccountId: alice,
          mentions: [{ mention: { id: bobId, username: 'bob', acct: 'bob@remote.example', url: bob.uri } }],
          tags: [{ name: 'cats', display: 'Cats' }],
          emojis: [{ shortcode: 'x', url: `${home}/x.png`, staticUrl: `${home}/x.png` }],
          attachments: [
            ownMedia(bed.gateway.actors, alice, {
              type: 'image',
              url: `${home}/1.png`,
              mediaType: 'image/png',
              description: 'A cat',
              focusX: 0.5,
              focusY: 0,
            }),
          ],
        }),
      ),
    );
    const document = await getJson(bed, `/users/alice/statuses/${statusId}`);
    expect(document).toMatchObject({
      type: 'Note',
      to: [`${home}/users/alice/followers`],
      cc: [publicAudience, bob.uri],
      contentMap: { en: '<p>Second</p>' },
      tag: [
        { type: 'Mention', href: bob.uri, name: '@bob@remote.example' },
        { type: 'Hashtag', href: `${home}/tags/cats`, name: '#Cats' },
        { type: 'Emoji', name: ':x:' },
      ],
      attachment: [{ type: 'Document', name: 'A cat', focalPoint: [0.5, 0] }],
    });
    expect(readNote(document as never)).toMatchObject({
      uri: `${home}/users/alice/statuses/${statusId}`,
      url: `${home}/@alice/${statusId}`,
      authors: [`${home}/users/alice`],
      spoilerText: 'Careful',
      sensitive: true,
      language: 'en',
      content: '<p>Second</p>',
      inReplyTo: `${home}/users/alice/statuses/${parent}`,
      mentions: [{ href: bob.uri }],
      hashtags: ['Cats'],
      attachments: [{ type: 'image', description: 'A cat', focus: { x: 0.5, y: 0 } }],
    });
    const create = await getJson(bed, `/users/alice/statuses/${statusId}/activity`);
    // An activity has no totals.
    const { '@context': _context, likes: _likes, shares: _shares, replies, ...note } = document;
    const { totalItems: _total, ...repliesOfActivity } = replies as Record<string, unknown>;
    expect(create).toMatchObject({
      id: `${document.id}/activity`,
      type: 'Create',
      actor: `${home}/users/alice`,
      object: { ...note, replies: repliesOfActivity },
    });
  });

  it('that was edited is new at once, that was deleted is gone', async () => {
    const { bed, alice } = await withAlice();
    const statusId = await bed.publish(alice, 'First');
    const path = `/users/alice/statuses/${statusId}`;
    await getJson(bed, path);
    bed.gateway.actors.clock.advance(1_000);
    const { visibility: _visibility, ...edit } = plainPost('Better');
    await bed.gateway.actors.call(Account.edit.to(alice, { ...edit, statusId }));
    expect(await getJson(bed, path)).toMatchObject({ content: '<p>Better</p>', updated: '2025-01-01T12:00:01Z' });
    await bed.gateway.actors.call(Account.deleteStatus.to(alice, { statusId, destinations: [] }));
    expect((await bed.gateway.fetch(path, activity)).status).toBe(410);
    expect((await bed.gateway.fetch('/users/alice/statuses/1', activity)).status).toBe(404);
  });

  it.each(['private', 'direct'] as const)('that was %s and is deleted never was', async (visibility) => {
    const { bed, alice } = await withAlice();
    const statusId = await bed.publish(alice, 'Secret', { visibility });
    await bed.gateway.actors.call(Account.deleteStatus.to(alice, { statusId, destinations: [] }));
    expect((await bed.gateway.fetch(`/users/alice/statuses/${statusId}`, activity)).status).toBe(404);
  });

  it('of somebody else is not under this name', async () => {
    const { bed, alice } = await withAlice();
    await bed.local('carol');
    const statusId = await bed.publish(alice, 'First');
    expect((await bed.gateway.fetch(`/users/carol/statuses/${statusId}`, activity)).status).toBe(404);
  });

  it.each([
    ['private', 'a follower', 200],
    ['private', 'the actor of a follower’s server', 200],
    ['private', 'somebody else of a follower’s server', 404],
    ['private', 'somebody who calls himself a server', 404],
    ['private', 'a stranger', 404],
    ['direct', 'a follower', 404],
    ['direct', 'the actor of a follower’s server', 404],
    ['direct', 'a stranger', 404],
  ] as const)('that is %s is for %s: %d', async (visibility, who, expected) => {
    const { bed, alice } = await withAlice();
    const bob = bed.person('remote.example', 'bob');
    const askers = {
      'a follower': bob,
      'the actor of a follower’s server': bed.person('remote.example', 'instance.actor', { type: 'Application' }),
      'somebody else of a follower’s server': bed.person('remote.example', 'mallory'),
      'somebody who calls himself a server': bed.person('evil.example', 'mallory', { type: 'Application' }),
      'a stranger': bed.person('evil.example', 'carol'),
    };
    await bed.send(bob, bob.activity('Follow', `${home}/users/alice`));
    const statusId = await bed.publish(alice, 'Secret', { visibility });
    const path = `/users/alice/statuses/${statusId}`;
    expect((await bed.gateway.fetch(path, activity)).status).toBe(404);
    const signed = signedGetHeaders(askers[who], path, bed.now);
    const headers = { ...activity.headers, ...signed };
    const response = await bed.gateway.fetch(path, { headers });
    expect(response.status).toBe(expected);
    if (expected === 200) expect(response.headers.get('cache-control')).toBe('private, no-store');
    const forged = { ...headers, signature: signed.signature!.replace(/signature="..../, 'signature="AAAA') };
    expect((await bed.gateway.fetch(path, { headers: forged })).status).toBe(404);
  });

  it('is not for whom the author has blocked, whoever of that server may see it', async () => {
    const { bed, alice } = await withAlice();
    const bob = bed.person('remote.example', 'bob');
    const mallory = bed.person('remote.example', 'mallory');
    await bed.send(bob, bob.activity('Follow', `${home}/users/alice`));
    await bed.gateway.actors.call(Account.block.to(alice, { targetId: await bed.know(mallory) }));
    const mention = { id: await bed.know(bob), username: 'bob', acct: 'bob@remote.example', url: bob.uri };
    for (const visibility of ['private', 'direct'] as const) {
      const post = plainPost('Secret', { visibility, mentions: [{ mention }] });
      const { statusId } = await bed.gateway.actors.call(Account.publish.to(alice, post));
      const path = `/users/alice/statuses/${statusId}`;
      const statusFor = async (person: RemotePerson) => {
        const headers = { ...activity.headers, ...signedGetHeaders(person, path, bed.now) };
        return (await bed.gateway.fetch(path, { headers })).status;
      };
      expect([await statusFor(bob), await statusFor(mallory)]).toEqual([200, 404]);
    }
  });

  it('that is direct is for the servers of those it mentions', async () => {
    const { bed, alice } = await withAlice();
    const bob = bed.person('remote.example', 'bob');
    const mention = { id: await bed.know(bob), username: 'bob', acct: 'bob@remote.example', url: bob.uri };
    const direct = plainPost('Secret', { visibility: 'direct', mentions: [{ mention }] });
    const { statusId } = await bed.gateway.actors.call(Account.publish.to(alice, direct));
    const path = `/users/alice/statuses/${statusId}`;
    const document = await getJson(bed, path, signedGetHeaders(bob, path, bed.now));
    expect(document).toMatchObject({ to: [bob.uri], cc: [] });
  });
});

describe('collections', () => {
  it('the outbox pages through what everybody may see', async () => {
    const { bed, alice } = await withAlice();
    const ids: bigint[] = [];
    for (let number = 0; number < 25; number += 1) {
      bed.gateway.actors.clock.advance(1_000);
      ids.push(await bed.publish(alice, `Number ${number}`));
    }
    await bed.publish(alice, 'Secret', { visibility: 'private' });
    await bed.gateway.actors.call(Account.reblog.to(alice, { statusId: ids[0]!, by: alice }));
    const outbox = await getJson(bed, '/users/alice/outbox');
    expect(outbox).toMatchObject({ type: 'OrderedCollection', first: `${home}/users/alice/outbox?page=true` });
    const first = await getJson(bed, '/users/alice/outbox?page=true');
    expect(first.orderedItems).toHaveLength(20);
    expect(first.orderedItems?.[0]).toMatchObject({
      type: 'Announce',
      object: `${home}/users/alice/statuses/${ids[0]}`,
    });
    expect(first.orderedItems?.[1]).toMatchObject({ type: 'Create', object: { content: '<p>Number 24</p>' } });
    const second = await getJson(bed, String(first.next).slice(home.length));
    expect(second.orderedItems).toHaveLength(6);
    expect(JSON.stringify([first, second])).not.toContain('Secret');
    expect(second.next).toBeUndefined();
  });

  it('followers and following name people, unless they are hidden', async () => {
    const { bed, alice } = await withAlice();
    const bob = bed.person('remote.example', 'bob');
    await bed.follow(alice, bob);
    await bed.send(bob, bob.activity('Follow', `${home}/users/alice`));
    for (const list of ['followers', 'following']) {
      expect(await getJson(bed, `/users/alice/${list}`)).toMatchObject({ totalItems: 1 });
      expect(await getJson(bed, `/users/alice/${list}?page=true`)).toMatchObject({ orderedItems: [bob.uri] });
    }
    await bed.gateway.actors.call(Account.changeProfile.to(alice, { hideCollections: true }));
    for (const path of ['followers', 'followers?page=true', 'following']) {
      const collection = await getJson(bed, `/users/alice/${path}`);
      expect(collection).toMatchObject({ totalItems: 1 });
      expect(collection).not.toHaveProperty('first');
      expect(collection).not.toHaveProperty('orderedItems');
    }
  });

  it('featured is there and empty', async () => {
    const { bed } = await withAlice();
    const featured = await getJson(bed, '/users/alice/collections/featured');
    expect(featured).toMatchObject({ type: 'OrderedCollection', totalItems: 0, orderedItems: [] });
  });
});
