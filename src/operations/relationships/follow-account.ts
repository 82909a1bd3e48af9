/** Follows an account, or changes the options of a follow (specification section 3). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import type { RelationshipView } from '../../actors/account/relationship-views.queries.ts';
import { relationshipLimits } from '../../actors/account/relationships/limits.ts';
import { FollowOptions } from '../../actors/account/relationships/relationships.records.ts';
import { refreshWhenOld } from '../../federation/remote-objects/refresh-when-old.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { flowOf } from '../caller.ts';
import { isLanguage } from '../languages.ts';
import { operation } from '../operation.ts';
import { relationshipWith } from './change-relationship.ts';

interface Followed {
  readonly relationship: RelationshipView;
  /** Whether there was neither a follow nor a request before. */
  readonly isNew: boolean;
}

export const followAccount = operation({
  /** Undefined options stay unchanged, and have their defaults in a new follow. */
  input: z.object({ accountId: identifier, options: FollowOptions.partial() }),
  permission: 'relate',
  limit: 'follows',
  counts: ({ isNew }: Followed) => isNew,
  async run(context, { accountId: targetId, options }): Promise<Followed> {
    const { caller, services } = context;
    checkLanguages(options.languages);
    const { profile } = knownAccount(services, targetId);
    refreshWhenOld(services, profile, caller);
    const before = relationshipWith(context, targetId);
    const message = Account.follow.to(caller.accountId, {
      targetId,
      options,
      targetDestination: destinationOf(profile),
    });
    const { state } = await services.client.call(message, flowOf(caller));
    if (state === 'refused') throw new Failure('forbidden');
    return { relationship: relationshipWith(context, targetId), isNew: before.follow === undefined };
  },
});

/** Throws Failure validation. */
function checkLanguages(languages: readonly string[] | undefined): void {
  if (languages === undefined) return;
  if (languages.length > relationshipLimits.languagesPerFollowMax) throw validationFailure('Languages are too many');
  if (!languages.every(isLanguage)) throw validationFailure('Languages is invalid');
}
