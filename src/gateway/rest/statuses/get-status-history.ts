/** GET /api/v1/statuses/:id/history (behaviour of the Mastodon API): all versions of a status. */
import { z } from 'zod';
import { versionsOf } from '../../../actors/account/statuses/status-versions.queries.ts';
import { visibleOriginal } from '../../../operations/statuses/originals.ts';
import type { Id } from '../../../runtime/ids.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { statusEditEntity } from '../../entities/status-edit.ts';
import { StatusEditEntity, type StatusEntity } from '../../entities/status-schema.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { json } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { shownStatus } from '../status-answers.ts';

export const getStatusHistory = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/history',
  authentication: 'optional',
  scopes: ['read:statuses'],
  parameters: z.object({ id }),
  summary: 'Lists the versions of a status, oldest first.',
  answer: z.array(StatusEditEntity),
  handler({ services, grant }, given) {
    const { status, author } = visibleOriginal(services, given.id, grant?.accountId);
    const versions = versionsOf(services.snapshots, status);
    const quote = quoteIn(services, status.id, grant?.accountId);
    const account = accountsFor(services, grant?.accountId)(author);
    return json(
      versions.map((version) => {
        const isQuote = version.quotedStatusId !== undefined && version.quotedStatusId === status.quote?.statusId;
        return statusEditEntity(version, author.profile, account, services.addresses, isQuote ? quote : undefined);
      }),
    );
  },
});

/** As the status itself shows it to the viewer; undefined without a quote. */
function quoteIn(
  services: GatewayServices,
  statusId: Id,
  viewerId: Id | undefined,
): z.output<typeof StatusEditEntity>['quote'] {
  const shown = shownStatus(services, statusId, viewerId);
  if (shown.parts?.quote === undefined) return undefined;
  return (JSON.parse(services.answers.status(shown).toString()) as z.output<typeof StatusEntity>).quote;
}
