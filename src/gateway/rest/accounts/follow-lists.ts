/** Shared by GET followers and following (specification 4.2: hidden from others where the owner chooses so). */
import { z } from 'zod';
import { type ChooseAccount, hidesLists } from '../../../actors/account/relationships/relationships.queries.ts';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import { refreshPinsWhenOld } from '../../../federation/remote-objects/refresh-when-old.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { EncodableAccount } from '../../entities/encoded-account.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import { answerAccountPage, refuseSuspended } from './answers.ts';

export const followListParameters = z.object({ id, ...pageParameters(40, 80) });

type List = (
  reader: Reader,
  accountId: Id,
  choose: ChooseAccount<EncodableAccount>,
  bounds: PageBounds,
) => Page<EncodableAccount>;

/** Throws notFound for an unknown account, and gone for a suspended one in the dialect of the specification. */
export function answerFollowList(
  context: OpenContext<GatewayServices>,
  given: z.output<typeof followListParameters>,
  list: List,
): Answer | Promise<Answer> {
  const { services, grant } = context;
  const account = knownAccount(services, given.id);
  refuseSuspended(context, account);
  if (grant !== undefined) refreshPinsWhenOld(services, given.id, context.caller);
  const { presenter, snapshots } = services;
  if (hidesLists(account.profile, presenter.viewer(grant?.accountId))) return json([]);
  return answerAccountPage(context, given, (bounds) =>
    list(snapshots, given.id, presenter.shownAccounts(grant?.accountId), bounds),
  );
}
