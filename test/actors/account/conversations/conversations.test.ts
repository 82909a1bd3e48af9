/** Conversations of an account: what removing one leaves. */
import { expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { findConversation } from '../../../../src/actors/account/conversations/conversations.queries.ts';
import { continueConversation } from '../../../../src/actors/account/conversations/store-conversation.ts';
import { People } from '../../../support/people.ts';

test('a status from before a removal, which arrives during it, begins the conversation anew', () => {
  const people = new People();
  const alice = people.local('alice');
  const threadId = alice.id + 1n;
  const add = (statusId: bigint) =>
    people.server.turn(Account.actor, alice.id, (turn) => continueConversation(turn, threadId, statusId, true));
  for (let number = 1_000n; number < 2_200n; number += 1n) add(threadId + number);
  people.server.send(Account.removeConversation.to(alice.id, { threadId }));
  add(threadId + 5n);
  expect(findConversation(people.server.read, alice.id, threadId)?.lastStatusId).toBe(threadId + 5n);
  people.expectSound();
});
