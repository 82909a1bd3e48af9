/** The pages of home timelines and of those of lists, where little or nothing of them is shown yet. */
import { beforeEach, expect, test, vi } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import type { HomePage } from '../../../src/services/feeds.ts';
import { type Person, Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

let site: Site;
let alice: Person;
let bob: Person;
let carol: Person;
let list: string;

beforeEach(async () => {
  site = new Site();
  [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
  for (const { id } of [bob, carol]) await alice.act(`/web/accounts/${id}/follow`);
  const members = (await alice.act('/web/lists', { title: 'Birds' })).location!;
  list = members.replace(/\/people$/, '');
  for (const { id } of [bob, carol]) await alice.act(`/web${list}/add`, { account: String(id) });
});

const postsOf = (html: string) => [...textOf(html).matchAll(/Number \d+/g)].map(([post]) => post);
const nextOf = (html: string) => /rel="next" href="([^"]+)"/.exec(html)?.[1];

/** More than a page of somebody who is muted then, before and after what others wrote. */
async function writeBehindHidden() {
  const publish = (author: Person, text: string) =>
    site.gateway.actors.call(
      Account.publish.to(author.id, {
        ...{ text, content: `<p>${text}</p>`, spoilerText: '', sensitive: false, visibility: 'public' as const },
        ...{ mentions: [], tags: [], emojis: [], attachments: [] },
      }),
    );
  const write = async (author: Person, texts: readonly string[]) => {
    for (const text of texts) {
      site.gateway.actors.clock.advance(1_000);
      await publish(author, text);
    }
  };
  const loud = Array.from({ length: 25 }, () => 'Louder than the rest');
  await write(bob, loud);
  await write(carol, ['Number 1', 'Number 2']);
  await write(bob, loud);
  const mute = { targetId: bob.id, hideNotifications: true, durationSeconds: 0 };
  await site.gateway.actors.call(Account.mute.to(alice.id, mute));
}

const pages: readonly (readonly [string, () => string])[] = [
  ['home', () => '/'],
  ['a list', () => list],
];

test.each(pages)('behind more hidden posts than a page has, %s shows the others', async (_what, path) => {
  await writeBehindHidden();
  const { html } = await alice.ask(path());
  expect(postsOf(html)).toEqual(['Number 2', 'Number 1']);
  expect(html).not.toContain('Louder');
  const next = nextOf(html);
  if (next !== undefined) expect(postsOf((await alice.ask(`${path()}${next}`)).html)).toEqual([]);
});

test.each(pages)('of two boosts of a post, %s shows the older one', async (_what, path) => {
  const dave = await site.person('dave');
  const id = await dave.write('Number 1');
  for (const person of [bob, carol]) {
    site.gateway.actors.clock.advance(1_000);
    await person.act(`/web/statuses/${id}/reblog`);
  }
  const { html } = await alice.ask(path());
  expect(postsOf(html)).toEqual(['Number 1']);
  expect(textOf(html)).toContain('bob boosted');
  expect(textOf(html)).not.toContain('carol boosted');
});

test.each(pages)('%s that is being put together says so, whatever it shows', async (_what, path) => {
  await alice.ask(path());
  const id = await carol.write('Number 1');
  const incomplete = (...ids: bigint[]): HomePage => ({ ids: BigUint64Array.from(ids), complete: false });
  const { homeTimeline, listTimeline } = site.gateway.services;
  for (const page of [incomplete(), incomplete(BigInt(id))]) {
    vi.spyOn(homeTimeline, 'page').mockReturnValue(page);
    vi.spyOn(listTimeline, 'page').mockReturnValue(page);
    const answer = await alice.ask(path());
    expectStrict(answer);
    expect(postsOf(answer.html)).toHaveLength(page.ids.length);
    expect(textOf(answer.html)).toContain('is being put together');
    expect(textOf(answer.html)).not.toMatch(/quiet here|Nothing yet/);
  }
});
