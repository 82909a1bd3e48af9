/** What `murmuration doctor` asks a running server through its public address; for others there is nothing here. */
import { createPublicKey } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { instanceSecrets } from '../../actors/instance/instance.queries.ts';
import { RequestHeaders } from '../../federation/inbox/request-headers.ts';
import { activityLimits } from '../../federation/limits.ts';
import { examineRequest } from '../../outbound/signatures/examine-request.ts';
import { verifyRequest } from '../../outbound/signatures/verify-request.ts';
import { Failure } from '../../runtime/errors.ts';
import {
  isSelfCheckToken,
  type SelfCheckReport,
  selfCheckBegin,
  selfCheckEnd,
  selfCheckHeader,
  selfCheckPath,
  selfCheckPauseMilliseconds,
  selfCheckStreamPath,
} from '../../services/self-check.ts';
import type { Services } from '../../services/services.ts';
import { type Answer, type AnswerSink, json, stream } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { type RawRoute, rawRoute } from '../route.ts';

const noStore = { 'Cache-Control': 'no-store' };

/** Throws notFound for everybody else. */
function admit({ request, services }: RawContext<Services>): void {
  const token = request.header(selfCheckHeader);
  const secrets = token === undefined ? undefined : instanceSecrets(services.snapshots);
  if (token === undefined || secrets === undefined || !isSelfCheckToken(secrets, token, services.now()))
    throw new Failure('notFound');
}

function tell(method: 'GET' | 'POST', context: RawContext<Services>): Answer {
  admit(context);
  const { request, body } = context;
  const report: SelfCheckReport = {
    host: request.header('host') ?? '',
    origin: request.origin,
    ip: request.ip,
    forwardedFor: request.joinedHeader('x-forwarded-for') ?? '',
    upgrade: request.header('upgrade') ?? '',
    authorization: request.header('authorization') ?? '',
    signature: judgeSignature(method, context),
    bytes: body.byteLength,
    pid: process.pid,
  };
  return json(report, { headers: noStore });
}

/** As the inbox does it. */
function judgeSignature(method: 'GET' | 'POST', { request, services, body }: RawContext<Services>): string {
  const { addresses, snapshots } = services;
  const signed = {
    method,
    origin: addresses.origin,
    rawTarget: request.url,
    headers: new RequestHeaders(request, addresses.host),
    body: method === 'GET' ? undefined : body,
  };
  const examination = examineRequest(signed, { now: services.now(), ownHosts: new Set([addresses.host]) });
  if (!examination.ok) return examination.refusal;
  const publicKey = createPublicKey(instanceSecrets(snapshots)!.keyPair.publicKeyPem);
  const verification = verifyRequest(signed, examination.signature, publicKey);
  return verification.ok ? 'verified' : verification.refusal;
}

function beginStream(context: RawContext<Services>): Answer {
  admit(context);
  return stream({
    contentType: 'text/event-stream',
    headers: { ...noStore, 'X-Accel-Buffering': 'no' },
    open: (sink: AnswerSink) => {
      sink.write(`${selfCheckBegin}\n\n`);
      const timer = setTimeout(() => {
        sink.write(`${selfCheckEnd}\n\n`);
        sink.end();
      }, selfCheckPauseMilliseconds);
      return () => clearTimeout(timer);
    },
  });
}

export const selfCheckRoutes: readonly RawRoute<Services>[] = [
  rawRoute<Services>({ method: 'GET', path: selfCheckPath, handler: (context) => tell('GET', context) }),
  rawRoute<Services>({
    method: 'POST',
    path: selfCheckPath,
    bodyBytesMax: activityLimits.bodyBytesMax,
    handler: (context) => tell('POST', context),
  }),
  rawRoute<Services>({ method: 'GET', path: selfCheckStreamPath, handler: beginStream }),
];
