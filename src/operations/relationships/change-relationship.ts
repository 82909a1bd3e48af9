/** Shared by the operations on relationships: the other account, and the resulting relationship. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findRelationship, type RelationshipView } from '../../actors/account/relationship-views.queries.ts';
import type { Destination } from '../../actors/intents.ts';
import type { Envelope } from '../../runtime/contract.ts';
import type { Id } from '../../runtime/ids.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';

/** The caller's relationship with the account. */
export function relationshipWith(
  { caller, services }: OperationContext<AccountCaller>,
  accountId: Id,
): RelationshipView {
  return findRelationship(services.snapshots, caller.accountId, accountId, services.now());
}

/** The message to the caller's actor. `destination` is undefined for a local account. */
type MessageOf = (ownId: Id, accountId: Id, destination: Destination | undefined) => Envelope<undefined>;

/** An operation whose only input is the account. Throws Failure notFound for an unknown one. */
export function relationshipChange(message: MessageOf) {
  return operation({
    input: z.object({ accountId: identifier }),
    permission: 'relate',
    async run(context, { accountId }): Promise<RelationshipView> {
      const { caller, services } = context;
      const destination = destinationOf(knownAccount(services, accountId).profile);
      await services.client.call(message(caller.accountId, accountId, destination), flowOf(caller));
      return relationshipWith(context, accountId);
    },
  });
}
