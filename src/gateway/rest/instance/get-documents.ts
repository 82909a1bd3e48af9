/** Texts by staff: rules, the extended description, the privacy policy, the terms of service. */

import { z } from 'zod';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { allTerms, currentTerms, type EffectiveTerms } from '../../../operations/instance/terms-of-service.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';
import { rulesEntity } from '../../entities/instance.ts';
import { RuleEntity, StaffDocumentEntity, TermsOfServiceEntity } from '../../entities/instance-schema.ts';
import { dateOfDay } from '../../entities/values.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const getRules = endpoint({
  method: 'GET',
  path: '/api/v1/instance/rules',
  authentication: 'optional',
  summary: 'Lists the rules of this server.',
  answer: z.array(RuleEntity),
  handler: ({ services }) => json(rulesEntity(settingsOf(services).rules)),
});

export const getExtendedDescription = endpoint({
  method: 'GET',
  path: '/api/v1/instance/extended_description',
  authentication: 'optional',
  summary: 'Returns the extended description of this server.',
  answer: StaffDocumentEntity,
  handler: ({ services }) => json(documentEntity(services, settingsOf(services).extendedDescription)),
});

export const getPrivacyPolicy = endpoint({
  method: 'GET',
  path: '/api/v1/instance/privacy_policy',
  authentication: 'optional',
  summary: 'Returns the privacy policy of this server.',
  answer: StaffDocumentEntity,
  handler: ({ services }) => json(documentEntity(services, settingsOf(services).privacyPolicy)),
});

export const getTermsOfService = endpoint({
  method: 'GET',
  path: '/api/v1/instance/terms_of_service',
  authentication: 'optional',
  summary: 'Returns the terms of service in force, or the first ones that will be.',
  answer: TermsOfServiceEntity,
  handler: ({ services }) => json(termsEntity(services, currentTerms(services))),
});

export const getTermsOfServiceOf = endpoint({
  method: 'GET',
  path: '/api/v1/instance/terms_of_service/:date',
  authentication: 'optional',
  parameters: z.object({ date: z.string() }),
  summary: 'Returns the terms of service that take effect on a day.',
  answer: TermsOfServiceEntity,
  handler: ({ services }, { date }) =>
    json(
      termsEntity(
        services,
        allTerms(services).find(({ day }) => dateOfDay(day) === date),
      ),
    ),
});

/** Throws Failure notFound where there are none. */
function termsEntity({ addresses }: Pick<Services, 'addresses'>, terms: EffectiveTerms | undefined) {
  if (terms === undefined) throw new Failure('notFound');
  const { day, isEffective, content, succeededBy } = terms;
  return {
    effective_date: dateOfDay(day),
    effective: isEffective,
    content: addresses.absoluteLinks(content),
    succeeded_by: succeededBy === undefined ? null : dateOfDay(succeededBy),
  };
}

/** A document that was never written is empty, without a time of update. */
function documentEntity(
  { addresses }: Pick<Services, 'addresses'>,
  document: { content: string; updatedAt: number } | undefined,
) {
  if (document === undefined) return { content: '', updated_at: null };
  return { content: addresses.absoluteLinks(document.content), updated_at: new Date(document.updatedAt).toISOString() };
}
