/** The endpoints of rules for other servers (specification 4.10, with the shapes of the Mastodon API). */
import { z } from 'zod';
import { instanceLimits } from '../../../actors/instance/limits.ts';
import { domainSeverities } from '../../../actors/policy/domains.ts';
import {
  blockDomain,
  changeDomainBlock,
  listDomainBlocks,
  showDomainBlock,
  unblockDomain,
} from '../../../operations/administration/domain-blocks.ts';
import { AdminDomainBlockEntity, adminDomainBlockEntity } from '../../entities/admin/domains.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { boolean, choice, id, required, text, textUpTo } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const path = '/api/v1/admin/domain_blocks';
const ofOne = { path: `${path}/:id`, parameters: z.object({ id }) };
const reading = { scopes: ['admin:read:domain_blocks'] };
const writing = { scopes: ['admin:write:domain_blocks'] };

const comment = textUpTo(instanceLimits.domainCommentCharactersMax);
const content = {
  severity: choice(domainSeverities),
  reject_media: boolean,
  reject_reports: boolean,
  private_comment: comment,
  public_comment: comment,
  obfuscate: boolean,
};

const Content = z.object(content);

function contentOf({ severity, ...given }: z.output<typeof Content>) {
  return {
    severity,
    rejectMedia: given.reject_media,
    rejectReports: given.reject_reports,
    privateComment: given.private_comment,
    publicComment: given.public_comment,
    obfuscate: given.obfuscate,
  };
}

const getBlocks = staffEndpoint(listDomainBlocks, {
  ...reading,
  method: 'GET',
  path,
  parameters: z.object(staffPageParameters),
  summary: 'Lists the rules for other servers, latest first.',
  answer: z.array(AdminDomainBlockEntity),
  handler(context, given) {
    const page = listDomainBlocks(context, boundsOf(given));
    return staffPageAnswer(context.request, page, given.limit, adminDomainBlockEntity);
  },
});

const getBlock = staffEndpoint(showDomainBlock, {
  ...reading,
  ...ofOne,
  method: 'GET',
  summary: 'Shows a rule for another server.',
  answer: AdminDomainBlockEntity,
  handler: (context, given) => json(adminDomainBlockEntity(showDomainBlock(context, given))),
});

const postBlock = staffEndpoint(blockDomain, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object({ domain: required(text), ...content }),
  summary: 'Suspends or silences a server and its subdomains.',
  answer: AdminDomainBlockEntity,
  async handler(context, { domain, ...given }) {
    const { block, isNew } = await blockDomain(context, { domain, ...contentOf(given) });
    const entity = adminDomainBlockEntity(block);
    if (isNew) return json(entity);
    const error = `You have already imposed stricter limits on ${block.domain}`;
    return json({ error, existing_domain_block: entity }, { status: 422 });
  },
});

const putBlock = staffEndpoint(changeDomainBlock, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ id, ...content }),
  summary: 'Changes a rule for another server; what is not given stays.',
  answer: AdminDomainBlockEntity,
  async handler(context, { id: blockId, ...given }) {
    return json(adminDomainBlockEntity(await changeDomainBlock(context, { id: blockId, ...contentOf(given) })));
  },
});

const deleteBlock = staffEndpoint(unblockDomain, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Removes a rule for another server. Follows that it ended do not come back.',
  answer: EmptyEntity,
  async handler(context, { id: domain }) {
    await unblockDomain(context, { domain });
    return empty();
  },
});

export const adminDomainBlockEndpoints = [getBlocks, getBlock, postBlock, putBlock, deleteBlock];
