/** Shared by GET followers and following (specification 4.2: hidden from others where the owner chooses so). */
import { z } from 'zod';
import { hidesLists } from '../../../actors/account/relationships/relationships.queries.ts';
import type { AccountView } from '../../../actors/account/statuses/statuses.queries.ts';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import type { Viewer } from '../../../actors/policy/visibility.ts';
import { refreshPinsWhenOld } from '../../../federation/remote-objects/refresh-when-old.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { id, pageParameters } from '../../http/parameter-types.ts';
import { answerAccountPage, refuseSuspended } from './answers.ts';

export const followListParameters = z.object({ id, ...pageParameters(40, 80) });

type List = (reader: Reader, accountId: Id, viewer: Viewer, bounds: PageBounds) => Page<AccountView>;

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
  const viewer = () => services.presenter.viewer(grant?.accountId);
  if (hidesLists(account.profile, viewer())) return json([]);
  return answerAccountPage(context, given, (bounds) => list(services.snapshots, given.id, viewer(), bounds));
}
