/** Posts of other servers for chosen people. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { People } from '../../support/people.ts';
import { plainPost } from '../../support/plain-post.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

test('a post for chosen people says so, and cannot be boosted', async () => {
  const site = new Site();
  const [alice, carol] = [await site.person('alice'), await site.person('carol')];
  const { actors } = site.gateway;
  const bob = new People(actors).remote('bob', 'remote.example');
  await actors.call(Account.follow.to(alice.id, { targetId: bob.id, options: {} }));
  const { text: content, mentions: _mentions, poll: _poll, ...plain } = plainPost('a secret', { visibility: 'direct' });
  const uri = 'https://remote.example/notes/1';
  const receivedAt = actors.clock.now();
  const addressed = { mentions: [], localMentions: [], addressed: [alice.id], limited: true };
  const status = { ...plain, ...addressed, content, uri, publishedAt: receivedAt };
  const { statusId } = await actors.call(Account.receiveStatus.to(bob.id, { status, receivedAt }));
  const home = await alice.ask('/');
  expectStrict(home);
  expect(textOf(home.html)).toContain('a secret');
  expect(home.html).toContain('title="Chosen people"');
  expect(home.html).not.toContain(`/web/statuses/${statusId}/reblog`);
  expect(home.html).toContain(`<a class="item" href="${uri}" target="_blank"`);
  expect(home.html).toContain(`data-copy="${uri}"`);
  expect((await carol.ask(`/@bob@remote.example/${statusId}`)).status).toBe(404);
});
