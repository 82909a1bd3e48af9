import { beforeEach, describe, expect, test } from 'vitest';
import { findAccount } from '../../../../src/actors/account/profile/profiles.queries.ts';
import { builtInRoles } from '../../../../src/actors/policy/roles.ts';
import { accountEntity } from '../../../../src/gateway/entities/account.ts';
import { roleEntity } from '../../../../src/gateway/entities/role.ts';
import { Addresses } from '../../../../src/services/addresses.ts';
import { defaultPath } from '../../../../src/services/media/default-pictures.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { origin } from '../../../support/services.ts';

const addresses = new Addresses(origin);
let people: People;

beforeEach(() => {
  people = new People();
});

const entityOf = (person: Person) => accountEntity(findAccount(people.server.read, person.id)!, addresses);

/** Keys that every Account has in the reference of the Mastodon API. */
const compulsoryKeys = `id username acct url uri display_name note avatar avatar_static avatar_description header
  header_static header_description locked fields emojis bot group discoverable indexable created_at last_status_at
  statuses_count followers_count following_count hide_collections show_media show_media_replies show_featured roles
  feature_approval`.split(/\s+/);

describe('an account', () => {
  test('of this server has every compulsory key, and what search engines are told', () => {
    const alice = people.local('alice');
    const entity = entityOf(alice);
    expect(Object.keys(entity).sort()).toEqual([...compulsoryKeys, 'noindex'].sort());
    expect(entity).toMatchObject({
      acct: 'alice',
      url: `${origin}/@alice`,
      uri: `${origin}/users/alice`,
      avatar: origin + defaultPath(alice.id, 'avatar'),
      header: origin + defaultPath(alice.id, 'header'),
      created_at: '2025-01-01T00:00:00.000Z',
      last_status_at: null,
      discoverable: null,
      roles: [],
    });
  });

  test('of another server has its own addresses, and no role', () => {
    const entity = entityOf(people.remote('bob', 'remote.example', { role: 'admin', actorType: 'Group' }));
    expect(entity).toMatchObject({
      acct: 'bob@remote.example',
      url: 'https://remote.example/@bob',
      uri: 'https://remote.example/users/bob',
      group: true,
      roles: [],
    });
  });

  test('shows its emoji, its images and what it is', () => {
    const emojis = [{ shortcode: 'cat', url: 'https://x.example/cat.gif', staticUrl: 'https://x.example/cat.png' }];
    expect(entityOf(people.remote('bob', 'remote.example', { emojis }))).toMatchObject({
      emojis: [{ shortcode: 'cat', static_url: 'https://x.example/cat.png', visible_in_picker: true, category: null }],
    });
    const alice = people.local('alice', { avatar: 'https://x.example/a.png' }, { role: 'moderator' });
    people.moderate(alice, { memorial: true, limited: true });
    expect(entityOf(alice)).toMatchObject({
      avatar: 'https://x.example/a.png',
      avatar_static: 'https://x.example/a.png',
      memorial: true,
      limited: true,
      roles: [{ id: '1', name: 'Moderator', color: '' }],
    });
  });

  test('that is suspended shows nothing of its owner', () => {
    const local = { displayName: 'Alice', noteHtml: '<p>Hi</p>', avatar: 'https://x.example/a.png' };
    const role = 'admin';
    const emptied = {
      suspended: true,
      display_name: '',
      note: '',
      avatar: expect.stringMatching(/^https:\/\/here\.example\/avatars\/\d+\.png$/),
      roles: [],
    };
    expect(entityOf(people.suspend(people.local('alice', local, { role })))).toMatchObject(emptied);
    expect(entityOf(people.suspend(people.remote('bob', 'remote.example', { ...local, role })))).toMatchObject(emptied);
  });
});

test.each([
  ['user', '65536', false],
  ['moderator', '1115420', true],
  ['admin', '2097148', true],
  ['owner', '8388607', true],
] as const)('the permissions of a %s are %s', (role, permissions, highlighted) => {
  expect(roleEntity(builtInRoles[role])).toMatchObject({ permissions, highlighted });
});
