/** The inboxes: the shared one, those of accounts, that of the server itself, which run one pipeline, and the relay's. */
import { activityPubOf } from '../../federation/activitypub.ts';
import type { InboxRequest } from '../../federation/inbox/inbox-request.ts';
import { RequestHeaders } from '../../federation/inbox/request-headers.ts';
import { activityLimits } from '../../federation/limits.ts';
import { relayInboxOf } from '../../federation/relay/relay-inbox.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { localActor } from './find.ts';

const jsonType = /^application\/(?:(?:activity|ld)\+)?json\s*(?:;|$)/i;
const accepted = new Answer(202, undefined, '', undefined, undefined);

function receive(context: RawContext<Services>, owner?: string): Answer | Promise<Answer> {
  return receiveIn(activityPubOf(context.services).inbox, context, owner);
}

/** The shared inbox of a server that is only a relay is that of the relay. */
function receiveShared(context: RawContext<Services>): Answer | Promise<Answer> {
  return context.services.options.relay === 'only' ? receiveInRelay(context) : receive(context);
}

/** Throws notFound where the server is no relay. */
function receiveInRelay(context: RawContext<Services>): Answer | Promise<Answer> {
  if (context.services.options.relay === 'off') throw new Failure('notFound');
  return receiveIn(relayInboxOf(context.services), context);
}

function receiveIn(
  inbox: { receive(request: InboxRequest): Promise<undefined> | undefined },
  { request, services, body, cause }: RawContext<Services>,
  owner?: string,
): Answer | Promise<Answer> {
  const contentType = request.header('content-type');
  if (contentType !== undefined && !jsonType.test(contentType)) throw new Failure('mediaTypeUnsupported');
  const received = inbox.receive({
    method: 'POST',
    origin: services.addresses.origin,
    rawTarget: request.url,
    headers: new RequestHeaders(request, services.addresses.host),
    body,
    address: request.ip,
    owner,
    cause,
  });
  return received === undefined ? accepted : received.then(() => accepted);
}

/**
 * Also for a suspended account: what ends a follow, a like or a block must hold when it is back (docs/decisions/0039).
 * Throws notFound for an unknown name.
 */
function receiveAt(context: RawContext<Services>): Answer | Promise<Answer> {
  const { profile } = localActor(context.services.snapshots, context.pathParameters.name);
  return receive(context, profile.username);
}

const { bodyBytesMax } = activityLimits;

export const inboxRoutes: readonly RawRoute<Services>[] = [
  rawRoute<Services>({ method: 'POST', path: '/inbox', bodyBytesMax, handler: receiveShared }),
  rawRoute<Services>({ method: 'POST', path: '/actor/inbox', bodyBytesMax, handler: receiveShared }),
  rawRoute<Services>({ method: 'POST', path: '/relay/inbox', bodyBytesMax, handler: receiveInRelay }),
  rawRoute<Services>({ method: 'POST', path: '/users/:name/inbox', bodyBytesMax, handler: receiveAt }),
];
