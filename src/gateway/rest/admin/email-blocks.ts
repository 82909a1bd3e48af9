/** The endpoints of e-mail domains and addresses with which nobody signs up. */
import { z } from 'zod';
import {
  blockCanonicalEmail,
  listCanonicalEmailBlocks,
  showCanonicalEmailBlock,
  testCanonicalEmail,
  unblockCanonicalEmail,
} from '../../../operations/administration/canonical-email-blocks.ts';
import {
  blockEmailDomain,
  listEmailDomainBlocks,
  showEmailDomainBlock,
  unblockEmailDomain,
} from '../../../operations/administration/email-domain-blocks.ts';
import {
  AdminCanonicalEmailBlockEntity,
  AdminEmailDomainBlockEntity,
  adminCanonicalEmailBlockEntity,
  adminEmailDomainBlockEntity,
} from '../../entities/admin/access.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { boolean, id, required, text } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

const domains = {
  path: '/api/v1/admin/email_domain_blocks',
  reading: { scopes: ['admin:read:email_domain_blocks'] },
  writing: { scopes: ['admin:write:email_domain_blocks'] },
};
const addresses = {
  path: '/api/v1/admin/canonical_email_blocks',
  reading: { scopes: ['admin:read:canonical_email_blocks'] },
  writing: { scopes: ['admin:write:canonical_email_blocks'] },
};
const ofOne = z.object({ id });

const getDomains = staffEndpoint(listEmailDomainBlocks, {
  ...domains.reading,
  method: 'GET',
  path: domains.path,
  parameters: z.object(staffPageParameters),
  summary: 'Lists the e-mail domains with which nobody signs up, latest first.',
  answer: z.array(AdminEmailDomainBlockEntity),
  handler(context, given) {
    const now = context.services.now();
    const page = listEmailDomainBlocks(context, boundsOf(given));
    return staffPageAnswer(context.request, page, given.limit, (block) => adminEmailDomainBlockEntity(block, now));
  },
});

const getDomain = staffEndpoint(showEmailDomainBlock, {
  ...domains.reading,
  method: 'GET',
  path: `${domains.path}/:id`,
  parameters: ofOne,
  summary: 'Shows an e-mail domain with which nobody signs up.',
  answer: AdminEmailDomainBlockEntity,
  handler: (context, given) =>
    json(adminEmailDomainBlockEntity(showEmailDomainBlock(context, given), context.services.now())),
});

const postDomain = staffEndpoint(blockEmailDomain, {
  ...domains.writing,
  method: 'POST',
  path: domains.path,
  parameters: z.object({ domain: required(text), allow_with_approval: boolean }),
  summary: 'Refuses sign-ups with an e-mail domain and those below it, or makes them wait for approval.',
  answer: AdminEmailDomainBlockEntity,
  async handler(context, { domain, allow_with_approval: allowWithApproval }) {
    const block = await blockEmailDomain(context, { domain, allowWithApproval });
    return json(adminEmailDomainBlockEntity(block, context.services.now()));
  },
});

const deleteDomain = staffEndpoint(unblockEmailDomain, {
  ...domains.writing,
  method: 'DELETE',
  path: `${domains.path}/:id`,
  parameters: ofOne,
  summary: 'Accepts sign-ups with an e-mail domain again.',
  answer: EmptyEntity,
  async handler(context, { id: domain }) {
    await unblockEmailDomain(context, { domain });
    return empty();
  },
});

const getAddresses = staffEndpoint(listCanonicalEmailBlocks, {
  ...addresses.reading,
  method: 'GET',
  path: addresses.path,
  parameters: z.object(staffPageParameters),
  summary: 'Lists the digests of e-mail addresses with which nobody signs up, latest first.',
  answer: z.array(AdminCanonicalEmailBlockEntity),
  handler(context, given) {
    const page = listCanonicalEmailBlocks(context, boundsOf(given));
    return staffPageAnswer(context.request, page, given.limit, adminCanonicalEmailBlockEntity);
  },
});

const getAddress = staffEndpoint(showCanonicalEmailBlock, {
  ...addresses.reading,
  method: 'GET',
  path: `${addresses.path}/:id`,
  parameters: ofOne,
  summary: 'Shows the digest of an e-mail address with which nobody signs up.',
  answer: AdminCanonicalEmailBlockEntity,
  handler: (context, given) => json(adminCanonicalEmailBlockEntity(showCanonicalEmailBlock(context, given))),
});

const postAddress = staffEndpoint(blockCanonicalEmail, {
  ...addresses.writing,
  method: 'POST',
  path: addresses.path,
  parameters: z.object({ email: text, canonical_email_hash: text }),
  summary: 'Refuses sign-ups with an e-mail address, in whatever spelling.',
  answer: AdminCanonicalEmailBlockEntity,
  async handler(context, { email, canonical_email_hash: hash }) {
    return json(adminCanonicalEmailBlockEntity(await blockCanonicalEmail(context, { email, hash })));
  },
});

/** Changes nothing, and so takes the scope of reading (behaviour of the Mastodon API). */
const postTest = staffEndpoint(testCanonicalEmail, {
  ...addresses.reading,
  method: 'POST',
  path: `${addresses.path}/test`,
  parameters: z.object({ email: required(text) }),
  summary: 'Lists the block that an e-mail address meets, if any.',
  answer: z.array(AdminCanonicalEmailBlockEntity),
  handler: (context, given) => json(testCanonicalEmail(context, given).map(adminCanonicalEmailBlockEntity)),
});

const deleteAddress = staffEndpoint(unblockCanonicalEmail, {
  ...addresses.writing,
  method: 'DELETE',
  path: `${addresses.path}/:id`,
  parameters: ofOne,
  summary: 'Accepts sign-ups with an e-mail address again.',
  answer: EmptyEntity,
  async handler(context, given) {
    await unblockCanonicalEmail(context, given);
    return empty();
  },
});

export const adminEmailBlockEndpoints = [
  ...[getDomains, getDomain, postDomain, deleteDomain],
  ...[getAddresses, getAddress, postAddress, postTest, deleteAddress],
];
