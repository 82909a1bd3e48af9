/** The three inboxes: the shared one, those of accounts, and that of the server itself. All run one pipeline. */
import { activityPubOf } from '../../federation/activitypub.ts';
import { RequestHeaders } from '../../federation/inbox/request-headers.ts';
import { activityLimits } from '../../federation/limits.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { localActor } from './find.ts';

const jsonType = /^application\/(?:(?:activity|ld)\+)?json\s*(?:;|$)/i;
const accepted = new Answer(202, undefined, '', undefined, undefined);

function receive({ request, services, body, cause }: RawContext<Services>, owner?: string): Answer | Promise<Answer> {
  const contentType = request.header('content-type');
  if (contentType !== undefined && !jsonType.test(contentType)) throw new Failure('mediaTypeUnsupported');
  const received = activityPubOf(services).inbox.receive({
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
  rawRoute<Services>({ method: 'POST', path: '/inbox', bodyBytesMax, handler: receive }),
  rawRoute<Services>({ method: 'POST', path: '/actor/inbox', bodyBytesMax, handler: receive }),
  rawRoute<Services>({ method: 'POST', path: '/users/:name/inbox', bodyBytesMax, handler: receiveAt }),
];
