/** Shared by GET favourited_by and reblogged_by: a page of accounts with opaque cursors (specification 4.3). */
import { z } from 'zod';
import type { ChooseAccount } from '../../../actors/account/relationships/relationships.queries.ts';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import type { Viewer } from '../../../actors/policy/visibility.ts';
import { visibleOriginal } from '../../../operations/statuses/originals.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { EncodableAccount } from '../../entities/encoded-account.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import { answerAccountPage } from '../accounts/answers.ts';

export const listParameters = z.object({ id, ...pageParameters(40, 80) });

type List = (
  reader: Reader,
  statusId: Id,
  choose: ChooseAccount<EncodableAccount>,
  bounds: PageBounds,
  viewer: Viewer,
) => Page<EncodableAccount>;

/** Throws notFound for a status that the viewer may not see. */
export function listAccounts(
  context: OpenContext<GatewayServices>,
  given: z.output<typeof listParameters>,
  list: List,
): Answer | Promise<Answer> {
  const { services, grant } = context;
  const { status } = visibleOriginal(services, given.id, grant?.accountId);
  const { presenter, snapshots } = services;
  return answerAccountPage(context, given, (bounds) => {
    const choose = presenter.shownAccounts(grant?.accountId);
    return list(snapshots, status.id, choose, bounds, presenter.viewer(grant?.accountId));
  });
}
