/** Rules for other servers as files, and what a rule would sever, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import {
  domainListLimits,
  exportDomainAllows,
  exportDomainBlocks,
  importDomainAllows,
  importDomainBlocks,
  previewDomainBlock,
} from '../../../operations/administration/domain-lists.ts';
import {
  AdminDomainImportEntity,
  AdminDomainPreviewEntity,
  adminDomainImportEntity,
  adminDomainPreviewEntity,
} from '../../entities/admin/domain-lists.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { bytes, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, required, text, textUpTo } from '../../http/parameter-types.ts';
import type { Endpoint } from '../../route.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const preview = staffEndpoint(previewDomainBlock, {
  scopes: ['admin:read:domain_blocks'],
  method: 'GET',
  path: '/api/v1/admin/domain_blocks/preview',
  parameters: z.object({ domain: required(text) }),
  summary: 'Tells what a suspension of a server and its subdomains would end.',
  answer: AdminDomainPreviewEntity,
  handler: async (context, { domain }) =>
    json(adminDomainPreviewEntity(await previewDomainBlock(context, { domain }), context.services)),
});

const lists = {
  domain_blocks: { exported: exportDomainBlocks, imported: importDomainBlocks },
  domain_allows: { exported: exportDomainAllows, imported: importDomainAllows },
} as const;

const endpointsOf = (list: keyof typeof lists): Endpoint<GatewayServices>[] => {
  const { exported, imported } = lists[list];
  return [
    staffEndpoint(exported, {
      scopes: [`admin:read:${list}`],
      method: 'GET',
      path: `/api/v1/admin/${list}/export`,
      summary: 'The list as comma-separated values, in the form of Mastodon.',
      answer: z.never(),
      handler: (context: UserContext<GatewayServices>) =>
        bytes(exported(context, {}), {
          contentType: 'text/csv; charset=utf-8',
          headers: { 'Content-Disposition': `attachment; filename="${list}.csv"` },
        }),
    }),
    staffEndpoint(imported, {
      scopes: [`admin:write:${list}`],
      method: 'POST',
      path: `/api/v1/admin/${list}/import`,
      bodyBytesMax: 2 * domainListLimits.charactersMax,
      parameters: z.object({
        csv: required(textUpTo(domainListLimits.charactersMax)),
        name: textUpTo(200),
        dry_run: boolean,
      }),
      summary: 'Adds the rules of a list in the form of Mastodon; a dry run only tells what would happen.',
      answer: AdminDomainImportEntity,
      handler: async (context, { csv, name, dry_run: isDryRun }) =>
        json(adminDomainImportEntity(await imported(context, { csv, name, isDryRun }))),
    }),
  ];
};

/** Before those with an id, which a word is none of. */
export const adminDomainListEndpoints = [preview, ...endpointsOf('domain_blocks'), ...endpointsOf('domain_allows')];
