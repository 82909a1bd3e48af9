/** Open pages of threads: what they hear of answers, and of those that are fetched from other servers. */
import { expect, test, vi } from 'vitest';
import { Domain } from '../../../src/actors/domain/domain.messages.ts';
import type { ThreadStepRequest } from '../../../src/actors/domain/threads/threads.messages.ts';
import { webLimits } from '../../../src/gateway/pages/limits.ts';
import { People } from '../../support/people.ts';
import { Listener, openSite } from './live-listener.ts';

test('a thread hears of answers and of answers to them, each in its place', async () => {
  const { site } = openSite();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const root = await alice.write('A question');
  const known = await bob.write('@alice Known', { in_reply_to_id: root });
  expect((await bob.ask(`/@alice/${root}`)).html).toContain(
    `data-live="/web/live?list=thread&amp;of=${root}&amp;since=${known}"`,
  );
  const listener = new Listener();
  await listener.open(site, bob, `/web/live?list=thread&of=${root}&since=${known}`);
  await alice.write('Elsewhere');
  const below = await alice.write('@bob Below', { in_reply_to_id: known });
  const further = await bob.write('@alice Further', { in_reply_to_id: below });
  await alice.write('@alice To herself', { in_reply_to_id: root, visibility: 'direct' });
  const last = await alice.write('@bob Between us', { in_reply_to_id: root, visibility: 'direct' });
  const arrivals = await listener.heard(3, ({ event }) => event === 'arrival');
  expect(
    arrivals.map(({ id, data }) => [id, /depth-(\d)/.exec(data)?.[1], data.match(/data-answers="status-(\d+)"/)?.[1]]),
  ).toEqual([
    [below, '1', known],
    [further, '2', below],
    [last, '0', root],
  ]);
});

test('a thread that is fetched says so, and shows old answers as they come', async () => {
  const { site } = openSite();
  const { actors } = site.gateway;
  const people = new People(actors);
  const [bob, carol] = [await site.person('bob'), people.remote('carol', 'there.example')];
  const age = { ageMilliseconds: 3_600_000 };
  const root = await people.receive(carol, 'https://there.example/1', age);
  const address = `/@carol@there.example/${root.id}`;
  const notice = async () => /<p class="empty" id="thread-notice"[^<]*<\/p>/.exec((await bob.ask(address)).html)![0];
  expect(await notice()).toContain('More answers are being fetched');
  const listener = new Listener();
  await listener.open(site, bob, `/web/live?list=thread&of=${root.id}&since=${root.id}`);
  const [first] = await listener.heard(1, ({ event }) => event === 'piece');
  expect(first!.data).toBe(await notice());
  const newer = await people.receive(carol, 'https://there.example/2', { replyTo: root });
  const old = await people.receive(carol, 'https://there.example/3', { replyTo: root, ageMilliseconds: 1_800_000 });
  const arrivals = await listener.heard(2, ({ event }) => event === 'arrival');
  expect(arrivals.map(({ id, data }) => [id, data.includes(`id="status-${old.id}"`)])).toEqual([
    [newer.id.toString(), false],
    [newer.id.toString(), true],
  ]);
  const { statusId, startedAt, step } = actors.effects.at(-1)!.request as ThreadStepRequest;
  const answer = { statusId, startedAt, step, outcome: 'done' as const, stored: 0, moreRequests: 0, found: [] };
  actors.send(Domain.threadStepped.to('there.example', answer));
  actors.settle();
  await vi.advanceTimersByTimeAsync(webLimits.checkMilliseconds);
  const [, last] = await listener.heard(2, ({ event }) => event === 'piece');
  expect(last!.data).toContain('hidden');
  expect(await notice()).toContain('hidden');
  expect((await site.stranger.ask(address)).html).not.toContain('thread-notice');
});
