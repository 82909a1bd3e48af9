/** What the known kinds of servers send, from the request to the status that is read here. */
import { describe, expect, it } from 'vitest';
import { readActivity } from '../../../src/federation/documents/read-activity.ts';
import { readActor } from '../../../src/federation/documents/read-actor.ts';
import type { JsonObject, JsonValue } from '../../../src/outbound/fetcher/json.ts';
import { mergedHome } from '../../support/merged-home.ts';
import { aliceFollowsBob, InboundBed, publicAudience } from '../inbound-bed.ts';
import { bob, dialects, host } from './known-dialects.ts';

function activityOf(object: JsonObject) {
  const whole = {
    id: `${host}/objects/1`,
    attributedTo: bob,
    to: [publicAudience],
    cc: [`${bob}/followers`],
    published: '2025-01-01T11:00:00Z',
    ...object,
  };
  return { id: `${whole.id}#create`, type: 'Create', actor: bob, to: whole.to, cc: whole.cc, object: whole };
}

describe('a post of', () => {
  it.each(Object.entries(dialects))('%s', async (_name, { object, stored }) => {
    const { bed, alice, bob: author } = await aliceFollowsBob();
    const activity = activityOf(object);
    expect(await bed.send(author, activity)).toBe(202);
    const status = bed.stored(activity.object.id)!;
    const { content, ...others } = stored as { content: string[] };
    expect(status).toMatchObject(others);
    for (const part of content) expect(status.content).toContain(part);
    expect(mergedHome(bed.read, alice, { limit: 5 })).toEqual([status.id]);
  });

  it.each(Object.entries(dialects))('%s, with any part of it broken, is read or left out', (_name, { object }) => {
    const broken: readonly JsonValue[] = [null, true, -1, '', 'x', [], [[]], {}, [null], { type: [] }, { id: 7 }];
    const activity = activityOf(object) as unknown as JsonObject;
    for (const level of [activity, activity.object as JsonObject])
      for (const name of Object.keys(level))
        for (const value of broken) {
          const changed = { ...level, [name]: value };
          const whole = level === activity ? changed : { ...activity, object: changed };
          expect(typeof readActivity(whole as JsonObject)).toBe('object');
        }
  });
});

describe('an actor of', () => {
  it.each([
    'Person',
    'Service',
    'Application',
    'Group',
    'Organization',
  ])('type %s is followed, and read', async (type) => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const person = bed.person('remote.example', 'bob', { type });
    await bed.follow(alice, person);
    const note = person.note('hello');
    expect(await bed.send(person, person.create(note))).toBe(202);
    expect(bed.stored(note.id)).toBeDefined();
  });

  it('any kind, with any part of it broken, is read or left out', () => {
    const document = new InboundBed().person('remote.example', 'bob').document as unknown as JsonObject;
    const broken: readonly JsonValue[] = [null, true, -1, '', [], {}, [null], { type: [] }];
    for (const name of [...Object.keys(document), 'assertionMethod', 'generator', 'implements', 'icon', 'attachment'])
      for (const value of broken) expect(() => readActor({ ...document, [name]: value })).not.toThrow();
  });
});

describe('a group of Lemmy', () => {
  async function followedGroup() {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const group = bed.person('lemmy.example', 'cats', { type: 'Group' });
    const author = bed.person('other.example', 'carol');
    await bed.follow(alice, group);
    const page = author.note('page', { type: 'Page', name: 'Cats' });
    bed.web.set(String(page.id), page);
    const announce = (activity: unknown) => group.activity('Announce', activity, { to: [publicAudience] });
    const homeOf = () => mergedHome(bed.read, alice, { limit: 5 });
    return { bed, group, author, page, announce, homeOf };
  }

  it('that announces a new page boosts it, as it is on its own server', async () => {
    const { bed, group, author, page, announce, homeOf } = await followedGroup();
    const create = author.create({ ...page, name: 'Dogs' });
    expect(await bed.send(group, announce(create))).toBe(202);
    expect(bed.stored(page.id)?.content).toContain('Cats');
    expect(homeOf()).toHaveLength(1);
  });

  it('that announces likes, votes and deletions of others changes nothing', async () => {
    const { bed, group, author, page, announce, homeOf } = await followedGroup();
    await bed.send(group, announce(author.create(page)));
    for (const type of ['Like', 'Dislike', 'Delete', 'Undo'])
      expect(await bed.send(group, announce(author.activity(type, page.id)))).toBe(202);
    expect(bed.stored(page.id)).toBeDefined();
    expect(homeOf()).toHaveLength(1);
  });
});
