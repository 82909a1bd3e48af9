/** PATCH and PUT /api/v1/accounts/update_credentials (specification 4.2 names PUT, today's clients send PATCH). */

import { z } from 'zod';
import { visibilities } from '../../../actors/account/account.records.ts';
import { changeProfile } from '../../../operations/profile/change-profile.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { CredentialAccountEntity } from '../../entities/account.ts';
import { boolean, choice, file, group, groupList, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { credentialsAnswer } from './credentials-answer.ts';

const parameters = z.object({
  display_name: text,
  note: text,
  locked: boolean,
  bot: boolean,
  discoverable: boolean,
  hide_collections: boolean,
  indexable: boolean,
  fields_attributes: groupList({ name: text, value: text }),
  source: group({ privacy: choice(visibilities), sensitive: boolean, language: text }),
  avatar: file,
  header: file,
});

export const updateCredentials = endpoint({
  methods: ['PATCH', 'PUT'],
  path: '/api/v1/accounts/update_credentials',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters,
  summary: 'Changes the profile and the preferences of the user; what is not given stays.',
  answer: CredentialAccountEntity,
  async handler(context, given) {
    if (given.avatar !== undefined || given.header !== undefined)
      throw validationFailure('Profile images are not available on this server');
    const { locked, bot, discoverable, indexable, note, source } = given;
    await changeProfile(context, {
      displayName: given.display_name,
      note,
      fields: given.fields_attributes?.map(({ name = '', value = '' }) => ({ name, value })),
      locked,
      bot,
      discoverable,
      indexable,
      hideCollections: given.hide_collections,
      defaultPrivacy: source?.privacy,
      defaultSensitive: source?.sensitive,
      defaultLanguage: source?.language,
    });
    return credentialsAnswer(context.services, context.grant);
  },
});
