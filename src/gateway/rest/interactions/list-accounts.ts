/** What GET favourited_by and reblogged_by share: a page of accounts by hidden cursors (specification 4.3). */
import { z } from 'zod';
import type { AccountView } from '../../../actors/account/statuses.queries.ts';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import { remembered } from '../../../actors/policy/remembered.ts';
import type { Viewer } from '../../../actors/policy/visibility.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import type { Services } from '../../services.ts';
import { accountEntity } from '../entities/account.ts';
import { viewerOfGrant } from '../status-answers.ts';
import { visibleOriginal } from './originals.ts';

export const listParameters = z.object({ id, ...pageParameters(40, 80) });

type List = (reader: Reader, statusId: Id, viewer: Viewer, bounds: PageBounds) => Page<AccountView>;

/** Throws notFound for a status that the viewer may not see. */
export function listAccounts(
  { services, grant, request }: OpenContext<Services>,
  { id: statusId, max_id: maxId, since_id: sinceId, min_id: minId, limit }: z.output<typeof listParameters>,
  list: List,
): Answer {
  const { status } = visibleOriginal(services, statusId, grant?.accountId);
  const viewer = remembered(viewerOfGrant(services, grant?.accountId));
  const page = list(services.snapshots, status.id, viewer, { maxId, sinceId, minId, limit });
  return json(
    page.items.map((account) => accountEntity(account, services.addresses)),
    { headers: pageHeaders(request, { ...page, limit }, 'since_id') },
  );
}
