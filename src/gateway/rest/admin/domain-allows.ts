/** The endpoints of servers that staff allow, which matter where federation has an allow-list. */
import { z } from 'zod';
import { federationModes } from '../../../actors/policy/domains.ts';
import {
  allowDomain,
  disallowDomain,
  listDomainAllows,
  setFederationMode,
  showDomainAllow,
} from '../../../operations/administration/domain-allows.ts';
import { previewAllowList } from '../../../operations/administration/domain-lists.ts';
import { AdminFederationPreviewEntity, adminFederationPreviewEntity } from '../../entities/admin/domain-lists.ts';
import { AdminDomainAllowEntity, adminDomainAllowEntity } from '../../entities/admin/domains.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { choice, id, required, text } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const path = '/api/v1/admin/domain_allows';
const ofOne = { path: `${path}/:id`, parameters: z.object({ id }) };
const reading = { scopes: ['admin:read:domain_allows'] };
const writing = { scopes: ['admin:write:domain_allows'] };

const getAllows = staffEndpoint(listDomainAllows, {
  ...reading,
  method: 'GET',
  path,
  parameters: z.object(staffPageParameters),
  summary: 'Lists the allowed servers, latest first.',
  answer: z.array(AdminDomainAllowEntity),
  handler(context, given) {
    const page = listDomainAllows(context, boundsOf(given));
    return staffPageAnswer(context.request, page, given.limit, adminDomainAllowEntity);
  },
});

const getAllow = staffEndpoint(showDomainAllow, {
  ...reading,
  ...ofOne,
  method: 'GET',
  summary: 'Shows an allowed server.',
  answer: AdminDomainAllowEntity,
  handler: (context, given) => json(adminDomainAllowEntity(showDomainAllow(context, given))),
});

const postAllow = staffEndpoint(allowDomain, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({ domain: required(text) }),
  summary: 'Allows a server and its subdomains; one that is allowed stays so.',
  answer: AdminDomainAllowEntity,
  handler: async (context, given) => json(adminDomainAllowEntity(await allowDomain(context, given))),
});

const deleteAllow = staffEndpoint(disallowDomain, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Takes a server off the allow-list.',
  answer: EmptyEntity,
  async handler(context, { id: domain }) {
    await disallowDomain(context, { domain });
    return empty();
  },
});

const FederationEntity = z.strictObject({ mode: z.enum(federationModes) }).meta({ id: 'Admin.Federation' });

/** Our own: Mastodon has it in a file. Everybody sees it in the description of the server, as `limited_federation`. */
const putFederation = staffEndpoint(setFederationMode, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: '/api/murmuration/v1/admin/federation',
  parameters: z.object({ mode: required(choice(federationModes)) }),
  summary: 'Sets with which servers this one talks: with all that are not suspended, or with those that are allowed.',
  answer: FederationEntity,
  async handler(context, { mode }) {
    await setFederationMode(context, { mode });
    return json({ mode });
  },
});

const previewFederation = staffEndpoint(previewAllowList, {
  ...reading,
  method: 'GET',
  path: '/api/murmuration/v1/admin/federation/preview',
  summary: 'Tells what would end if this server talked with the allowed ones only.',
  answer: AdminFederationPreviewEntity,
  handler: async (context) => json(adminFederationPreviewEntity(await previewAllowList(context, {}), context.services)),
});

const ofFederation = [previewFederation, putFederation];

export const adminDomainAllowEndpoints = [getAllows, getAllow, postAllow, deleteAllow, ...ofFederation];
