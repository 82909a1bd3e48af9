/** Editing a profile (Mastodon API 4.6), and how others see it (specification 1, 2.6, 4.2). */

import { beforeEach, describe, expect, test } from 'vitest';
import { findAccount } from '../../../src/actors/account/profile/profiles.queries.ts';
import { actorDocument } from '../../../src/federation/documents/actor-document.ts';
import { getFollowers } from '../../../src/gateway/rest/accounts/get-followers.ts';
import { getFollowing } from '../../../src/gateway/rest/accounts/get-following.ts';
import { verifyCredentials } from '../../../src/gateway/rest/accounts/verify-credentials.ts';
import { postFeaturedTag } from '../../../src/gateway/rest/featured-tags/featured-tags.endpoints.ts';
import { profileEndpoints } from '../../../src/gateway/rest/profile/profile.endpoints.ts';
import { keptDomains } from '../../../src/operations/profile/attribution-domains.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { newPeople } from '../../support/api-people.ts';

const by = (method: 'GET' | 'PATCH' | 'DELETE', path: string) =>
  profileEndpoints.find((one) => one.path === path && one.methods.includes(method))!;
const get = by('GET', '/api/v1/profile');
const patch = by('PATCH', '/api/v1/profile');

let { people, api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
});

const change = async (given: Record<string, unknown>) => (await api.ask(patch, alice, given)).body;
const keys = { publicKeyPem: 'a key', privateKeyPem: 'a secret', createdAt: 0 };
const document = () => {
  const { profile } = findAccount(people.server.read, alice.id)!;
  return actorDocument(people.server.read, new Addresses('https://here.example'), profile, keys);
};

describe('a profile', () => {
  test('is answered as it was written, without the pictures that there are not', async () => {
    const written = { note: 'Hello *you*', fields_attributes: [{ name: 'Site', value: 'https://alice.example/' }] };
    const changed = await change({ display_name: 'Alice', ...written });
    expect(changed).toEqual({
      id: String(alice.id),
      display_name: 'Alice',
      note: 'Hello *you*',
      fields: [{ name: 'Site', value: 'https://alice.example/', verified_at: null }],
      formatted_note: '<p>Hello *you*</p>',
      formatted_fields: [
        { name: 'Site', value: expect.stringContaining('<a href="https://alice.example/"'), verified_at: null },
      ],
      ...{ avatar: null, avatar_static: null, avatar_description: '' },
      ...{ header: null, header_static: null, header_description: '' },
      ...{ locked: false, bot: false, hide_collections: false, discoverable: null, indexable: false },
      ...{ show_media: true, show_media_replies: true, show_featured: true },
      attribution_domains: [],
      featured_tags: [],
    });
    expect((await api.ask(get, alice)).body).toEqual(changed);
  });

  test('names the featured tags', async () => {
    const { body } = await api.ask(postFeaturedTag, alice, { name: 'birds' });
    for (const profile of [(await api.ask(get, alice)).body, await change({})])
      expect(profile).toMatchObject({ featured_tags: [body] });
  });

  test.each([
    ['locked', 'manuallyApprovesFollowers'],
    ['discoverable', 'discoverable'],
    ['indexable', 'indexable'],
    ['show_media', 'showMedia'],
    ['show_media_replies', 'showRepliesInMedia'],
    ['show_featured', 'showFeatured'],
  ])('says %s to its owner, to others and to other servers', async (field, term) => {
    for (const value of [true, false]) {
      expect(await change({ [field]: value })).toMatchObject({ [field]: value });
      expect((await api.ask(verifyCredentials, alice)).body).toMatchObject({ [field]: value });
      expect(document()).toMatchObject({ [term]: value });
    }
  });

  test('of a bot is that of a Service', async () => {
    expect(await change({ bot: true })).toMatchObject({ bot: true });
    expect(document()).toMatchObject({ type: 'Service' });
    await change({ bot: '0' });
    expect(document()).toMatchObject({ type: 'Person' });
  });

  test('asks search engines away where it is not to be indexed', async () => {
    for (const indexable of [true, false]) {
      await change({ indexable });
      expect((await api.ask(verifyCredentials, alice)).body).toMatchObject({ indexable, noindex: !indexable });
    }
  });

  test('names the web sites that may name its owner', async () => {
    const given = ['https://Blog.example/', 'news.example', 'News.example', '', '*.Shop.example'];
    const domains = ['blog.example', 'news.example', 'shop.example'];
    expect(await change({ attribution_domains: given })).toMatchObject({ attribution_domains: domains });
    expect((await api.ask(verifyCredentials, alice)).body.source).toMatchObject({ attribution_domains: domains });
    expect(document()).toMatchObject({ attributionDomains: domains });
    expect(keptDomains(domains)).toEqual(domains);
    expect(await change({ attribution_domains: [''] })).toMatchObject({ attribution_domains: [] });
    expect(document()).not.toHaveProperty('attributionDomains');
  });

  test.each([
    [{ attribution_domains: ['shop.*.example'] }, 'Validation failed: Attribution domains is invalid'],
    [{ attribution_domains: ['no domain'] }, 'Validation failed: Attribution domains is invalid'],
    [
      { attribution_domains: Array.from({ length: 101 }, (_, index) => `site${index}.example`) },
      'Validation failed: Attribution domains has the wrong length (maximum is 100)',
    ],
    [{ display_name: 'x'.repeat(31) }, 'Validation failed: Display name is too long (maximum is 30 characters)'],
  ])('%j changes nothing', async (given, message) => {
    const { body } = await api.ask(get, alice);
    await expect(change({ ...given, note: 'changed' })).rejects.toMatchObject({ code: 'validation', message });
    expect((await api.ask(get, alice)).body).toEqual(body);
  });

  test.each(['avatar', 'header'])('without the %s that it never had is what it was', async (picture) => {
    const { body } = await api.ask(by('DELETE', `/api/v1/profile/${picture}`), alice);
    expect(body).toEqual((await api.ask(verifyCredentials, alice)).body);
  });
});

test('who hides the lists of followers and followed sees them, and nobody else (specification 4.2)', async () => {
  await people.follow(bob, alice);
  await people.follow(alice, bob);
  const seen = async (viewer: typeof alice | undefined) =>
    Promise.all(
      [getFollowers, getFollowing].map(async (list) => (await api.ask(list, viewer, { id: alice.id })).body.length),
    );
  for (const [hidden, others] of [
    [true, [0, 0]],
    [false, [1, 1]],
  ] as const) {
    expect(await change({ hide_collections: hidden })).toMatchObject({ hide_collections: hidden });
    expect([await seen(alice), await seen(bob), await seen(undefined)]).toEqual([[1, 1], others, others]);
  }
});
