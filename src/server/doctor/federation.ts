/** Whether other servers could federate with this one: it is asked as they would, through its public address. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { instanceKeyId } from '../../federation/local-addresses.ts';
import { digestHeader } from '../../outbound/signatures/digest.ts';
import { signRequest } from '../../outbound/signatures/sign-request.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import { Addresses } from '../../services/addresses.ts';
import { selfCheckPath } from '../../services/self-check.ts';
import { ask, type Reply } from './ask.ts';
import { askServer, type Served } from './examined.ts';
import { type Finding, good, problem } from './findings.ts';
import { jsonOf, readReport } from './proxy.ts';

const activityType = 'application/activity+json';
const redirectsMax = 3;

const Descriptor = z.object({ links: z.array(z.object({ rel: z.string(), href: z.string().optional() })) });
const Actor = z.object({ id: z.string(), publicKey: z.object({ publicKeyPem: z.string() }) });
const NodeInfo = z.object({ software: z.object({ name: z.string() }) });

export async function checkFederation(served: Served, signal: AbortSignal): Promise<Finding[]> {
  const addresses = new Addresses(
    served.origin.origin,
    served.options.domain,
    undefined,
    undefined,
    served.options.relay === 'only',
  );
  const findings = [
    ...(await checkWebFinger(served, addresses, signal)),
    ...(await checkActor(served, addresses, signal)),
    ...(await checkNodeInfo(served, signal)),
    ...(await checkSignatures(served, addresses, signal)),
    ...(await checkInbox(addresses, signal)),
  ];
  return findings.length > 0
    ? findings
    : [
        good(
          'WebFinger, the actor of the server, NodeInfo, signed requests and the inbox answer as other servers need it.',
        ),
      ];
}

async function checkWebFinger(
  { origin }: Served,
  { domain, host }: Addresses,
  signal: AbortSignal,
): Promise<Finding[]> {
  const asked = new URL(`${origin.protocol}//${domain}/.well-known/webfinger?resource=acct:${domain}@${domain}`);
  const { url, reply } = await followed(asked, signal);
  if (reply.status !== 200 && domain !== host)
    return [problem('webFingerNotRedirected', { url: asked.href, status: reply.status })];
  const isRead = Descriptor.safeParse(jsonOf(reply.body)).data?.links.some(({ rel }) => rel === 'self');
  return judgeDocument(url, reply, 'application/jrd+json', isRead === true);
}

/** WebFinger alone may be redirected. */
async function followed(first: URL, signal: AbortSignal): Promise<{ url: URL; reply: Reply }> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const reply = await ask({ url, signal });
    const next = reply.status >= 300 && reply.status < 400 ? URL.parse(reply.header('location'), url.href) : null;
    if (next === null || redirects === redirectsMax) return { url, reply };
    url = next;
  }
}

async function checkActor({ secrets }: Served, { instanceActor }: Addresses, signal: AbortSignal): Promise<Finding[]> {
  const url = new URL(instanceActor);
  const reply = await ask({ url, headers: { accept: activityType }, signal });
  const actor = Actor.safeParse(jsonOf(reply.body)).data;
  const findings = judgeDocument(url, reply, activityType, actor?.id === instanceActor);
  if (findings.length > 0 || actor === undefined) return findings;
  const published = createPublicKey(actor.publicKey.publicKeyPem);
  return published.equals(createPublicKey(secrets.keyPair.publicKeyPem))
    ? []
    : [problem('keyNotPublished', { url: url.href })];
}

async function checkNodeInfo({ origin }: Served, signal: AbortSignal): Promise<Finding[]> {
  const url = new URL('/.well-known/nodeinfo', origin);
  const reply = await ask({ url, signal });
  const link = Descriptor.safeParse(jsonOf(reply.body)).data?.links[0]?.href;
  if (link === undefined) return judgeDocument(url, reply, 'application/json', false);
  const linked = new URL(link);
  const document = await ask({ url: linked, signal });
  return judgeDocument(linked, document, 'application/json', NodeInfo.safeParse(jsonOf(document.body)).success);
}

function judgeDocument(url: URL, reply: Reply, expected: string, isRead: boolean): Finding[] {
  const type = reply.header('content-type');
  const has = (what: string) => [
    problem('documentWrong', { url: url.href, status: reply.status, type: type || 'no type', what }),
  ];
  if (reply.status !== 200) return has('it should be 200');
  if (!type.startsWith(expected)) return has(`it should be ${expected}`);
  return isRead ? [] : has('it is not the document that the server writes');
}

/** The server says whether what arrived is what was signed; with its own key, which no inbox takes from outside. */
async function checkSignatures(served: Served, addresses: Addresses, signal: AbortSignal): Promise<Finding[]> {
  const { origin, secrets } = served;
  const url = new URL(`${selfCheckPath}?page=true&of=doctor`, origin);
  const signing = {
    url,
    dateMilliseconds: systemClock.now(),
    keyId: instanceKeyId(addresses),
    privateKey: createPrivateKey(secrets.keyPair.privateKeyPem),
  };
  const get = await signRequest({ ...signing, method: 'GET' });
  const body = Buffer.from(JSON.stringify({ type: 'Create', id: `${origin.origin}/doctor`, content: 'Grüße' }));
  const post = await signRequest({ ...signing, method: 'POST', digest: digestHeader(body), contentType: activityType });
  const path = url.pathname + url.search;
  const [got, posted] = await Promise.all([
    askServer(served, path, { headers: { ...get, accept: activityType }, signal }),
    askServer(served, path, {
      method: 'POST',
      headers: { ...post, 'content-length': String(body.byteLength) },
      body,
      signal,
    }),
  ]);
  return [...judgeSignature(served, got, 'signedGetRefused'), ...judgeSignature(served, posted, 'signedPostRefused')];
}

function judgeSignature(served: Served, reply: Reply, name: 'signedGetRefused' | 'signedPostRefused'): Finding[] {
  const read = readReport(served, reply);
  const reason = 'report' in read ? read.report.signature : `it answers ${reply.status}`;
  return reason === 'verified' ? [] : [problem(name, { reason })];
}

async function checkInbox({ sharedInbox }: Addresses, signal: AbortSignal): Promise<Finding[]> {
  const body = Buffer.from('{"type":"Create"}');
  const headers = { 'content-type': activityType, 'content-length': String(body.byteLength) };
  const { status } = await ask({ url: new URL(sharedInbox), method: 'POST', headers, body, signal });
  return status === 401 ? [] : [problem('inboxUnreachable', { url: sharedInbox, status })];
}
