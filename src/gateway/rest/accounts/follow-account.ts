/** POST /api/v1/accounts/:id/follow (specification section 3: following again changes the given options). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { findRelationship } from '../../../actors/account/relationships/relationships.queries.ts';
import { refreshWhenOld } from '../../../federation/remote-objects/refresh-account.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import { relationshipLimits } from '../../../runtime/limits.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { boolean, id, list, textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { destinationOf } from '../destinations.ts';
import { isLanguage } from '../languages.ts';
import { changedRelationship, knownAccount } from './answers.ts';

const parameters = z.object({
  id,
  reblogs: boolean,
  notify: boolean,
  /** Without any, all are asked for: also in `languages[]=`, as forms say an empty list. */
  languages: list(textUpTo(relationshipLimits.languageCharactersMax)).transform((words) => words?.filter(isGiven)),
});

export const followAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/follow',
  authentication: 'user',
  scopes: ['write:follows'],
  parameters,
  summary: 'Follows an account, or changes how it is followed.',
  async handler(context, { id: targetId, reblogs: showReblogs, notify, languages }) {
    const { services, grant } = context;
    context.checkLimit('follows');
    if (languages !== undefined && languages.length > relationshipLimits.languagesPerFollowMax)
      throw validationFailure('Languages are too many');
    if (languages?.every(isLanguage) === false) throw validationFailure('Languages is invalid');
    const target = knownAccount(services, targetId);
    refreshWhenOld(services, target.profile);
    const before = findRelationship(services.snapshots, grant.accountId, targetId, services.now());
    const { state } = await services.client.call(
      Account.follow.to(grant.accountId, {
        targetId,
        options: { showReblogs, notify, languages },
        targetDestination: destinationOf(target.profile),
      }),
      flowOfAccount(grant.accountId),
    );
    if (state === 'refused') throw new Failure('forbidden');
    if (before.follow === undefined) context.countLimit('follows');
    return changedRelationship(context, targetId);
  },
});

function isGiven(word: string | undefined): word is string {
  return word !== undefined && word !== '';
}
