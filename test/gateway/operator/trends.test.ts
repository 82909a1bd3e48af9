/** What trends as the operator sees it: `trends hashtags`, `links`, `posts`, `approve` and `reject`. */
import { beforeEach, expect, test } from 'vitest';
import { trendReviewsOf } from '../../../src/actors/instance/trends/trend-reviews.queries.ts';
import { commands } from '../../../src/gateway/operator/commands/commands.ts';
import { Callers } from '../../operations/callers.ts';

let callers: Callers;

beforeEach(() => {
  callers = new Callers();
});

async function run(words: string, argument = ''): Promise<readonly string[]> {
  const command = commands.find((one) => one.words === words)!;
  return (await command.run!(callers.services, command.read(argument, {}))).lines;
}

test('hashtags are listed and reviewed', async () => {
  expect(await run('trends hashtags')).toEqual(['Nothing is popular enough at the moment.']);
  const { people } = callers;
  await people.publish(people.local('alice'), { tags: ['birds'] });
  people.server.clock.advance(60_000);
  expect(await run('trends hashtags')).toEqual(['#birds  (trends, not reviewed)']);
  expect(await run('trends reject', 'tag:#Birds')).toEqual(['Does not trend: birds']);
  expect(await run('trends hashtags')).toEqual(['#birds  (rejected)']);
  await run('trends approve', 'tag:birds');
  expect(await run('trends hashtags')).toEqual(['#birds  (approved)']);
});

test('posts that wait for a review are listed by their ids', async () => {
  const { people } = callers;
  const alice = people.local('alice', { discoverable: true });
  const post = await people.publish(alice, { language: 'en' });
  for (const name of ['bob', 'carol', 'dave', 'erin', 'fred']) await people.favourite(people.local(name), post);
  expect(await run('settings trendable-by-default', 'off')).toEqual(['Off']);
  expect(await run('trends posts')).toEqual([`${post.id}  (waits for a review)`]);
  await run('trends approve', `account:${alice.id}`);
  expect(await run('trends posts')).toEqual([`${post.id}  (approved)`]);
  expect(await run('trends links')).toHaveLength(1);
});

test('publishers are kept in small letters; what names nothing is refused', async () => {
  await run('trends reject', 'publisher:News.Example');
  expect(trendReviewsOf(callers.people.server.read, 'publisher')).toMatchObject([{ name: 'news.example' }]);
  for (const wrong of ['birds', 'tag:', 'tag:no tag', 'bird:birds'])
    await expect(run('trends reject', wrong)).rejects.toThrow(/before the colon|names nothing/);
});
