/** Writes the caller's private note on an account; an empty note removes it. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { noteCharactersMax } from '../../actors/account/notes/notes.records.ts';
import type { RelationshipView } from '../../actors/account/relationship-views.queries.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { relationshipWith } from './change-relationship.ts';

export const noteAccount = operation({
  input: z.object({ accountId: identifier, comment: z.string() }),
  permission: 'relate',
  async run(context, { accountId: targetId, comment }): Promise<RelationshipView> {
    const { caller, services } = context;
    if (comment.length > noteCharactersMax)
      throw validationFailure(`Comment is too long (maximum is ${noteCharactersMax} characters)`);
    knownAccount(services, targetId);
    await services.client.call(Account.setNote.to(caller.accountId, { targetId, comment }), flowOf(caller));
    return relationshipWith(context, targetId);
  },
});
