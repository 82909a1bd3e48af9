/** The three inboxes: the shared one, those of accounts, and that of the server itself. All run one pipeline. */
import { findPublicAccount } from '../../actors/account/profile/profiles.queries.ts';
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import { activityPubOf } from '../../federation/activitypub.ts';
import { RequestHeaders } from '../../federation/inbox/request-headers.ts';
import { activityLimits } from '../../federation/limits.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { type RawRoute, rawRoute } from '../route.ts';

const jsonType = /^application\/(?:(?:activity|ld)\+)?json\s*(?:;|$)/i;
const accepted = new Answer(202, undefined, '', undefined, undefined);

function receive({ request, services, body, cause }: RawContext<Services>): Answer | Promise<Answer> {
  const contentType = request.header('content-type');
  if (contentType !== undefined && !jsonType.test(contentType)) throw new Failure('mediaTypeUnsupported');
  const received = activityPubOf(services).inbox.receive({
    method: 'POST',
    origin: services.addresses.origin,
    rawTarget: request.url,
    headers: new RequestHeaders(request, services.addresses.host),
    body,
    address: request.ip,
    cause,
  });
  return received === undefined ? accepted : received.then(() => accepted);
}

/** Throws notFound for an unknown name, gone for a suspended account. */
function receiveAt(context: RawContext<Services>): Answer | Promise<Answer> {
  const { snapshots } = context.services;
  const accountId = accountIdOfName(snapshots, nameOfHandle(context.pathParameters.name ?? '', undefined));
  const account = accountId === undefined ? undefined : findPublicAccount(snapshots, accountId);
  if (account === undefined) throw new Failure('notFound');
  if (account.profile.suspendedAt !== undefined) throw new Failure('gone');
  return receive(context);
}

const { bodyBytesMax } = activityLimits;

export const inboxRoutes: readonly RawRoute<Services>[] = [
  rawRoute<Services>({ method: 'POST', path: '/inbox', bodyBytesMax, handler: receive }),
  rawRoute<Services>({ method: 'POST', path: '/actor/inbox', bodyBytesMax, handler: receive }),
  rawRoute<Services>({ method: 'POST', path: '/users/:name/inbox', bodyBytesMax, handler: receiveAt }),
];
