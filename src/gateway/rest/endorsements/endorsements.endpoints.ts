/** The accounts featured on a profile (specification 4.2), newest first. */
import { z } from 'zod';
import { endorsementsOf } from '../../../actors/account/endorsements/endorsements.queries.ts';
import { isKeptFrom } from '../../../actors/account/relationships/relationships.queries.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import { AccountEntity } from '../../entities/account.ts';
import { json } from '../../http/answers.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerAccountPage, refuseSuspended } from '../accounts/answers.ts';

export const getEndorsements = endpoint({
  method: 'GET',
  path: '/api/v1/endorsements',
  authentication: 'user',
  scopes: ['read:accounts'],
  parameters: z.object(pageParameters(40, 80)),
  summary: 'Lists the accounts that the user features, latest first.',
  answer: z.array(AccountEntity),
  handler(context, given) {
    const { services, grant } = context;
    return answerAccountPage(context, given, (bounds) =>
      endorsementsOf(services.snapshots, grant.accountId, services.presenter.shownAccounts(grant.accountId), bounds),
    );
  },
});

export const getEndorsementsOfAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/endorsements',
  authentication: 'optional',
  scopes: ['read:accounts'],
  parameters: z.object({ id, ...pageParameters(40, 80) }),
  summary: 'Lists the accounts featured by an account, latest first.',
  answer: z.array(AccountEntity),
  handler(context, given) {
    const { services, grant } = context;
    const account = knownAccount(services, given.id);
    refuseSuspended(context, account);
    const { presenter, snapshots } = services;
    if (isKeptFrom(account.profile, presenter.viewer(grant?.accountId))) return json([]);
    return answerAccountPage(context, given, (bounds) =>
      endorsementsOf(snapshots, given.id, presenter.shownAccounts(grant?.accountId), bounds),
    );
  },
});

export const endorsementEndpoints = [getEndorsements, getEndorsementsOfAccount];
