/** PATCH and PUT /api/v1/accounts/update_credentials (specification 4.2 names PUT, today's clients send PATCH). */

import { Account } from '../../../actors/account/account.messages.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import { findMentions, handlesOf, renderedMentions } from '../../../operations/statuses/mentions.ts';
import { flowOfAccount } from '../../../services/services.ts';
import { CredentialAccountEntity } from '../../entities/account.ts';
import { endpoint } from '../../route.ts';
import { credentialsAnswer } from './credentials-answer.ts';
import { checkProfile, profileChange, profileParameters, textWithMentions } from './profile-changes.ts';

export const updateCredentials = endpoint({
  methods: ['PATCH', 'PUT'],
  path: '/api/v1/accounts/update_credentials',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: profileParameters,
  summary: 'Changes the profile and the preferences of the user; what is not given stays.',
  answer: CredentialAccountEntity,
  async handler({ services, grant }, given) {
    checkProfile(given);
    const mentions = renderedMentions(await findMentions(services, handlesOf(textWithMentions(given))));
    const { profile } = knownAccount(services, grant.accountId);
    const change = profileChange(given, profile, { origin: services.addresses.origin, mentions });
    await services.client.call(Account.changeProfile.to(grant.accountId, change), flowOfAccount(grant.accountId));
    return credentialsAnswer(services, grant);
  },
});
