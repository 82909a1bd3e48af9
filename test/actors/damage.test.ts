/** What `murmuration check` says of one damaged entry, for what the folder of check-folder.test.ts does not contain. */
import { expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import {
  conversationRules,
  conversations,
  statusesOfConversation,
} from '../../src/actors/account/conversations/conversations.state.ts';
import { pollRules, pollTallies, pollVotes } from '../../src/actors/account/polls/polls.state.ts';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import { browserKey, digestOfSecret, Session } from '../../src/actors/session/session.messages.ts';
import { browserSessions, browserSessionsOfUser } from '../../src/actors/session/session.state.ts';
import type { AnyKeyspace } from '../../src/runtime/storage/keyspace.ts';
import type { StorageReader } from '../../src/runtime/storage/log.ts';
import { createTestServer } from '../support/actors.ts';
import { publication } from '../support/acts.ts';
import type { MemoryStore } from '../support/memory-log.ts';
import { People } from '../support/people.ts';
import { assertSound } from '../support/sound.ts';

type Change = (value: Uint8Array) => Uint8Array | undefined;
const missing: Change = () => undefined;

/** Changes the first entry of the keyspace, wherever it is. */
function damage(disks: readonly StorageReader[], { number, name }: AnyKeyspace, change: Change): void {
  for (const disk of disks as readonly MemoryStore[]) {
    const all = [...disk.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff, 0xff, 0xff) })];
    const found = all.find(({ key }) => key[2] === number);
    if (found === undefined) continue;
    disk.apply({ keys: [found.key], values: [change(found.value)] });
    return;
  }
  throw new Error(`there is no entry of ${name}`);
}

const any = (space: unknown) => space as AnyKeyspace;

test.each<[string, AnyKeyspace, Change, RegExp]>([
  [
    'the total of an option of a poll is wrong',
    any(pollTallies),
    (value) => pollTallies.value.encode({ ...pollTallies.value.decode(value), votes: [1, 1] }),
    /of poll tallies says 1 votes for option 0 where there are 0\./,
  ],
  ['a vote is missing', any(pollVotes), missing, /of poll tallies says 1 voters where there are 0\./],
  [
    'the last status of a conversation is missing',
    any(statusesOfConversation),
    missing,
    /of conversations does not end with the last of its statuses\./,
  ],
  [
    'a conversation ends with an earlier status',
    any(conversations),
    (value) => conversations.value.encode({ ...conversations.value.decode(value), lastStatusId: 1n }),
    /of conversations does not end with the last of its statuses\./,
  ],
])('%s', async (_what, space, change, sentence) => {
  const people = new People();
  const [alice, bob] = [people.local('alice'), people.local('bob')];
  const poll = { options: ['tea', 'coffee'], expiresInSeconds: 3_600, multiple: false, hideTotals: false };
  const asked = await people.server.call(Account.publish.to(alice.id, publication({ poll })));
  await people.server.call(Account.vote.to(alice.id, { statusId: asked.statusId, by: bob.id, choices: [1] }));
  await people.publish(alice, { visibility: 'direct', mentions: [bob] });
  // The people of this test are not in the directory, which other rules ask.
  const check = () => assertSound(people.server.disks, [...pollRules, ...conversationRules]);
  check();
  damage(people.server.disks, space, change);
  expect(check).toThrow(sentence);
});

test.each<[string, AnyKeyspace, RegExp]>([
  [
    'a browser session is missing',
    any(browserSessions),
    /of browser sessions of user leads to a browser session that is not there\./,
  ],
  [
    'a browser session is not listed',
    any(browserSessionsOfUser),
    /of browser sessions is not in the list of its account\./,
  ],
])('%s', async (_what, space, sentence) => {
  const server = createTestServer({ actors, keyspaces });
  const session = { accountId: 1_000_000_000_064n, passwordMark: 'mark', browser: 'Firefox' };
  await server.call(Session.openBrowserSession.to(browserKey(digestOfSecret('cookie')), session));
  damage(server.disks, space, missing);
  expect(() => assertSound(server.disks)).toThrow(sentence);
});
