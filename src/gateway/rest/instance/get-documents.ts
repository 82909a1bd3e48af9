/** What staff wrote about the server: rules, the extended description, the privacy policy. */

import { z } from 'zod';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { rulesEntity } from '../../entities/instance.ts';
import { RuleEntity, StaffDocumentEntity } from '../../entities/instance-schema.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const getRules = endpoint({
  method: 'GET',
  path: '/api/v1/instance/rules',
  authentication: 'optional',
  summary: 'The rules of this server.',
  answer: z.array(RuleEntity),
  handler: ({ services }) => json(rulesEntity(settingsOf(services).rules)),
});

export const getExtendedDescription = endpoint({
  method: 'GET',
  path: '/api/v1/instance/extended_description',
  authentication: 'optional',
  summary: 'The long description of this server.',
  answer: StaffDocumentEntity,
  handler: ({ services }) => json(documentEntity(settingsOf(services).extendedDescription)),
});

export const getPrivacyPolicy = endpoint({
  method: 'GET',
  path: '/api/v1/instance/privacy_policy',
  authentication: 'optional',
  summary: 'The privacy policy of this server.',
  answer: StaffDocumentEntity,
  handler: ({ services }) => json(documentEntity(settingsOf(services).privacyPolicy)),
});

/** A document that nobody has written is empty, and was never updated. */
function documentEntity(document: { content: string; updatedAt: number } | undefined) {
  if (document === undefined) return { content: '', updated_at: null };
  return { content: document.content, updated_at: new Date(document.updatedAt).toISOString() };
}
