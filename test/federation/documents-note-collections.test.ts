/** The collections that the document of a note has: its replies, likes and shares. */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { plainPost } from '../support/plain-post.ts';
import { home, InboundBed, publicAudience } from './inbound-bed.ts';

const activity = { headers: { accept: 'application/activity+json' } };

async function withAlice() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  return { bed, alice };
}

async function getJson(bed: InboundBed, path: string): Promise<Record<string, unknown>> {
  const response = await bed.gateway.fetch(path, activity);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Record<string, unknown>;
}

describe('a note', () => {
  it('shows its author’s own replies, and new ones at once', async () => {
    const { bed, alice } = await withAlice();
    const parent = await bed.publish(alice, 'First');
    const path = `/users/alice/statuses/${parent}`;
    expect(await getJson(bed, path)).toMatchObject({ replies: { first: { items: [] } } });
    const reply = plainPost('Second', { inReplyToId: parent, inReplyToAccountId: alice });
    const { statusId } = await bed.gateway.actors.call(Account.publish.to(alice, reply));
    await bed.gateway.actors.call(Account.publish.to(alice, { ...reply, visibility: 'private' }));
    const items = [`${home}/users/alice/statuses/${statusId}`];
    expect(await getJson(bed, path)).toMatchObject({ replies: { totalItems: 1, first: { items } } });
    const whole = { type: 'Collection', totalItems: 1, first: { items } };
    expect(await getJson(bed, `${path}/replies`)).toMatchObject(whole);
    expect(await getJson(bed, `${path}/replies?page=true&min_id=${statusId}`)).toMatchObject({ items: [] });
  });

  it('shows how many have favourited and reblogged it, at once, where the same may have the totals alone', async () => {
    const { bed, alice } = await withAlice();
    const bob = bed.person('remote.example', 'bob');
    await bed.know(bob);
    const statusId = await bed.publish(alice, 'First');
    const path = `/users/alice/statuses/${statusId}`;
    const totals = async () => {
      const { likes, shares } = (await getJson(bed, path)) as Record<'likes' | 'shares', object>;
      for (const [name, total] of Object.entries({ likes, shares }))
        expect(await getJson(bed, `${path}/${name}`)).toEqual({
          '@context': 'https://www.w3.org/ns/activitystreams',
          ...total,
        });
      return [likes, shares];
    };
    const total = (name: string, totalItems: number) => ({
      id: `${home}${path}/${name}`,
      type: 'Collection',
      totalItems,
    });
    expect(await totals()).toEqual([total('likes', 0), total('shares', 0)]);
    await bed.send(bob, bob.activity('Like', `${home}${path}`));
    expect(await totals()).toEqual([total('likes', 1), total('shares', 0)]);
    await bed.send(bob, bob.activity('Announce', `${home}${path}`, { to: [publicAudience] }));
    expect(await totals()).toEqual([total('likes', 1), total('shares', 1)]);
    const secret = await bed.publish(alice, 'Secret', { visibility: 'private' });
    for (const name of ['likes', 'shares'])
      expect((await bed.gateway.fetch(`/users/alice/statuses/${secret}/${name}`, activity)).status).toBe(404);
  });
});
