/** What the operations on relationships share: the account that is meant, and what it is to the caller afterwards. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findRelationship, type RelationshipView } from '../../actors/account/relationships/relationships.queries.ts';
import type { Destination } from '../../actors/intents.ts';
import type { Envelope } from '../../runtime/contract.ts';
import type { Id } from '../../runtime/ids.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';

/** What the account is to the caller. */
export function relationshipWith(
  { caller, services }: OperationContext<AccountCaller>,
  accountId: Id,
): RelationshipView {
  return findRelationship(services.snapshots, caller.accountId, accountId, services.now());
}

interface Change {
  /** Tells the caller's own actor. `destination` is undefined for a local account. */
  message(ownId: Id, accountId: Id, destination: Destination | undefined): Envelope<undefined>;
  /** Whether the caller sees less afterwards: then every stream has to know before there is an answer. */
  readonly hides?: boolean;
}

/** An operation that names nothing but the account. Throws Failure notFound for one that is unknown here. */
export function relationshipChange({ message, hides = false }: Change) {
  return operation({
    input: z.object({ accountId: identifier }),
    permission: 'relate',
    async run(context, { accountId }): Promise<RelationshipView> {
      const { caller, services } = context;
      const destination = destinationOf(knownAccount(services, accountId).profile);
      await services.client.call(message(caller.accountId, accountId, destination), flowOf(caller));
      if (hides) await services.barrier.appliedEverywhere();
      return relationshipWith(context, accountId);
    },
  });
}
