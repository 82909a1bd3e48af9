/** Posts that the relay has received are logged together, in order, and fairly by the servers that bring them. */
import { expect, test } from 'vitest';
import type { Relay } from '../../../src/actors/relay/relay.messages.ts';
import type { ReceivedPost } from '../../../src/actors/relay/relay.records.ts';
import { relayBounds } from '../../../src/federation/relay/limits.ts';
import { ReceivedPosts } from '../../../src/federation/relay/received-posts.ts';
import type { BodyOf, Envelope } from '../../../src/runtime/contract.ts';
import { Failure } from '../../../src/runtime/errors.ts';

const { postsAtOnce, postsOfServerAtOnce, waitingOfServerMax } = relayBounds;

const nextRound = () => new Promise<void>((next) => void setImmediate(next));

function postOf(from: string, number: number, bytes = 100): ReceivedPost {
  const author = `https://${from}/users/alice`;
  const [id, object] = [`${author}/${number}/activity`, `${author}/${number}`];
  const traits = { tags: [], hasMedia: false, isSensitive: false, isBot: false };
  return { relayed: { type: 'Create', id, author, object, from, body: new Uint8Array(bytes), traits }, names: [id] };
}

function bed() {
  const sent: { posts: readonly ReceivedPost[]; flow: unknown; answer(): void; fail(failure: Failure): void }[] = [];
  const client = {
    call(message: Envelope, flow: unknown) {
      const { posts } = message.body as BodyOf<typeof Relay.publish>;
      return new Promise((resolve, reject) => {
        // Of each server the first is not new.
        const areNew = posts.map(({ relayed }) => !relayed.object.endsWith('/0'));
        sent.push({ posts, flow, answer: () => resolve({ areNew }), fail: reject });
      });
    },
  };
  const options = { relayAgeMinutes: 30, relayLog: 1 };
  const posts = new ReceivedPosts({ client, options } as unknown as ConstructorParameters<typeof ReceivedPosts>[0]);
  const servers = (at: number) => sent[at]!.posts.map(({ relayed }) => relayed.from);
  return { posts, sent, servers };
}

test('what arrives in one round of the event loop goes in one message, and what comes meanwhile in the next', async () => {
  const { posts, sent } = bed();
  const first = [0, 1, 2].map((number) => posts.log(postOf('one.example', number)));
  await nextRound();
  expect(sent.map((message) => message.posts.length)).toEqual([3]);
  const later = [3, 4].map((number) => posts.log(postOf('one.example', number)));
  await nextRound();
  expect(sent).toHaveLength(1);
  sent[0]!.answer();
  expect(await Promise.all(first)).toEqual([false, true, true]);
  sent[1]!.answer();
  expect(await Promise.all(later)).toEqual([true, true]);
  const objects = sent.flatMap((message) => message.posts.map(({ relayed }) => relayed.object));
  expect(objects).toEqual([0, 1, 2, 3, 4].map((number) => `https://one.example/users/alice/${number}`));
  const last = posts.log(postOf('one.example', 5));
  await nextRound();
  sent[2]!.answer();
  expect(await last).toBe(true);
});

test('a server that sends much delays the others by a turn at most, and keeps its order', async () => {
  const { posts, sent, servers } = bed();
  const results = Array.from({ length: 2 * postsAtOnce }, (_, number) => posts.log(postOf('busy.example', number)));
  for (let number = 0; number < 20; number += 1) results.push(posts.log(postOf(`calm${number}.example`, 1)));
  await nextRound();
  expect(servers(0).slice(0, postsOfServerAtOnce)).toEqual(new Array(postsOfServerAtOnce).fill('busy.example'));
  expect(servers(0).filter((server) => server !== 'busy.example')).toHaveLength(20);
  expect(servers(0)).toHaveLength(postsAtOnce);
  for (let at = 0; at < sent.length; at += 1) {
    sent[at]!.answer();
    await nextRound();
  }
  expect(await Promise.all(results)).toHaveLength(2 * postsAtOnce + 20);
  const busy = sent.flatMap((message) => message.posts.filter(({ relayed }) => relayed.from === 'busy.example'));
  const numbers = busy.map(({ relayed }) => Number(relayed.object.split('/').at(-1)));
  expect(numbers).toEqual(Array.from({ length: 2 * postsAtOnce }, (_, number) => number));
});

test('where a message fails all of its posts do, and the next goes on', async () => {
  const { posts, sent } = bed();
  const failed = [1, 2].map((number) => posts.log(postOf('one.example', number)));
  await nextRound();
  const later = posts.log(postOf('one.example', 3));
  sent[0]!.fail(new Failure('overloaded'));
  for (const post of failed) await expect(post).rejects.toMatchObject({ code: 'overloaded' });
  await nextRound();
  sent[1]!.answer();
  expect(await later).toBe(true);
});

test('what waits is bounded, for each server and in all', async () => {
  const { posts, sent } = bed();
  const waiting: Promise<unknown>[] = [];
  for (let number = 0; number < waitingOfServerMax; number += 1)
    waiting.push(posts.log(postOf('busy.example', number)));
  await expect(posts.log(postOf('busy.example', 9_999))).rejects.toMatchObject({ code: 'overloaded' });
  const large = Math.ceil(relayBounds.waitingBytesMax / 4);
  for (let number = 0; number < 4; number += 1)
    waiting.push(posts.log(postOf(`large${number}.example`, number, large)));
  await expect(posts.log(postOf('calm.example', 1))).rejects.toMatchObject({ code: 'overloaded' });
  await nextRound();
  for (let at = 0; at < sent.length; at += 1) {
    sent[at]!.answer();
    await nextRound();
  }
  await Promise.all(waiting);
  const late = posts.log(postOf('calm.example', 1));
  await nextRound();
  sent.at(-1)!.answer();
  expect(await late).toBe(true);
});
