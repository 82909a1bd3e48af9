/**
 * Votes in a poll, once. A vote in a local poll counts at once, one in a remote poll when its server reports new
 * totals.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { visiblePoll } from './visible-poll.ts';

export const voteInPoll = operation({
  input: z.object({ pollId: identifier, choices: z.array(z.number()) }),
  permission: 'interact',
  /** Returns the status of the poll. Throws Failure notFound for a poll that the caller may not see, and validation. */
  async run({ caller, services }, { pollId, choices }): Promise<{ statusId: Id }> {
    const { status } = visiblePoll(services, pollId, caller.accountId);
    const message = Account.vote.to(status.accountId, { statusId: status.id, by: caller.accountId, choices });
    await services.client.call(message, flowOf(caller));
    return { statusId: status.id };
  },
});
