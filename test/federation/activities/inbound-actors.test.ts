/** Actor documents as other servers send them, and documents that are not actors. */
import { describe, expect, it } from 'vitest';
import { readActor } from '../../../src/federation/documents/read-actor.ts';
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';

describe('actors', () => {
  const key = {
    id: 'https://remote.example/users/bob#main-key',
    owner: 'https://remote.example/users/bob',
    publicKeyPem: 'PEM',
  };
  const base = {
    id: 'https://remote.example/users/bob',
    type: 'Person',
    preferredUsername: 'bob',
    inbox: 'https://remote.example/users/bob/inbox',
    publicKey: key,
  };

  it('of Mastodon', () => {
    const actor = readActor({
      ...base,
      name: 'Bob',
      summary: '<p>Hi</p>',
      url: 'https://remote.example/@bob',
      manuallyApprovesFollowers: true,
      discoverable: false,
      indexable: true,
      published: '2020-01-01T00:00:00Z',
      followers: `${base.id}/followers`,
      featured: `${base.id}/collections/featured`,
      endpoints: { sharedInbox: 'https://remote.example/inbox' },
      icon: { type: 'Image', mediaType: 'image/png', url: 'https://remote.example/a.png' },
      attachment: [
        { type: 'PropertyValue', name: 'Site', value: '<a href="https://bob.example">bob</a>' },
        { type: 'IdentityProof' },
      ],
      alsoKnownAs: ['https://old.example/users/bob'],
    });
    expect(actor).toMatchObject({
      displayName: 'Bob',
      url: 'https://remote.example/@bob',
      locked: true,
      discoverable: false,
      sharedInbox: 'https://remote.example/inbox',
      avatar: 'https://remote.example/a.png',
      fields: [{ name: 'Site' }],
      keys: [{ id: key.id, text: 'PEM' }],
    });
  });

  it.each<[string, object, object]>([
    [
      'with a list of keys, some of them others’',
      { publicKey: [{ ...key, owner: 'https://evil.example/x' }, key] },
      { keys: [{ id: key.id }] },
    ],
    [
      'with a Multikey alone',
      {
        publicKey: undefined,
        assertionMethod: [
          { id: `${base.id}#ed25519`, type: 'Multikey', controller: base.id, publicKeyMultibase: 'z6Mk' },
        ],
      },
      { keys: [{ id: `${base.id}#ed25519`, text: 'z6Mk' }] },
    ],
    [
      'of Misskey’s system',
      { preferredUsername: 'instance.actor', type: 'Application' },
      { username: 'instance.actor', type: 'Application' },
    ],
    [
      'of a server with a port',
      {
        id: 'https://remote.example:3000/actor',
        preferredUsername: 'remote.example:3000',
        publicKey: { id: 'https://remote.example:3000/actor#key', publicKeyPem: 'PEM' },
      },
      { username: 'remote.example:3000' },
    ],
    [
      'with a picture as a link',
      { icon: 'https://remote.example/a.png', sharedInbox: 'https://remote.example/inbox' },
      { avatar: 'https://remote.example/a.png', sharedInbox: 'https://remote.example/inbox' },
    ],
    [
      'of Lemmy’s communities',
      { type: 'Group', attributedTo: `${base.id}/moderators`, postingRestrictedToMods: false },
      { type: 'Group' },
    ],
    [
      'with a type of an extension before its own',
      { type: ['https://remote.example/ns#Robot', 'Service'] },
      { type: 'Service' },
    ],
    [
      'with collections in the place of their addresses',
      {
        inbox: { type: 'OrderedCollection', id: base.inbox },
        outbox: { type: 'OrderedCollection', id: `${base.id}/outbox`, totalItems: 0 },
        followers: { type: 'Collection', id: `${base.id}/followers`, totalItems: 3 },
        featured: [`${base.id}/featured`],
        movedTo: { type: 'Person', id: 'https://new.example/users/bob' },
      },
      {
        inbox: base.inbox,
        outbox: `${base.id}/outbox`,
        followers: `${base.id}/followers`,
        featured: `${base.id}/featured`,
        movedTo: 'https://new.example/users/bob',
      },
    ],
    [
      'of PeerTube, with pictures in several sizes',
      {
        icon: [
          { type: 'Image', url: 'https://remote.example/s.png', width: 48 },
          { type: 'Image', url: 'https://remote.example/l.png' },
        ],
      },
      { avatar: 'https://remote.example/s.png' },
    ],
  ])('%s', (_name, changes, expected) => {
    expect(readActor({ ...base, ...changes } as JsonObject)).toMatchObject(expected);
  });

  it.each<[string, object]>([
    ['no key', { publicKey: undefined }],
    ['a key on another host', { publicKey: { ...key, id: 'https://evil.example/key' } }],
    ['a key of somebody else', { publicKey: { ...key, owner: 'https://remote.example/users/carol' } }],
    ['no inbox', { inbox: undefined }],
    ['a name with a slash', { preferredUsername: 'a/b' }],
    ['an endless name', { preferredUsername: 'a'.repeat(3_000) }],
    ['another type', { type: 'Note' }],
    ['an id with a user in it', { id: 'https://remote.example@evil.example/' }],
  ])('with %s are none', (_name, changes) => {
    expect(readActor({ ...base, ...changes } as JsonObject)).toBeUndefined();
  });
});
