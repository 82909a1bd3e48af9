/** What a request through the public address looks like when it arrives. */
import { mediaLimits } from '../../services/media/limits.ts';
import {
  SelfCheckReport,
  selfCheckBegin,
  selfCheckEnd,
  selfCheckPath,
  selfCheckPauseMilliseconds,
  selfCheckStreamPath,
} from '../../services/self-check.ts';
import { askToSend, type Reply } from './ask.ts';
import { askServer, type Served } from './examined.ts';
import { type Finding, good, problem } from './findings.ts';

/** Of nobody (RFC 5737): a client that claims to be it is believed only by who trusts too many proxies. */
const inventedAddress = '203.0.113.77';
const credentials = 'Bearer of-the-doctor';
const megabyte = 1_048_576;

export async function checkProxy(served: Served, signal: AbortSignal): Promise<Finding[]> {
  const headers = { 'x-forwarded-for': inventedAddress, authorization: credentials };
  const reply = await askServer(served, selfCheckPath, { headers, signal });
  const read = readReport(served, reply);
  if ('finding' in read) return [read.finding];
  const findings = [
    ...judgeHeaders(served, read.report),
    ...(await checkUpgrade(served, signal)),
    ...(await checkStream(served, signal)),
    ...(await checkBody(served, signal)),
  ];
  return findings.length > 0
    ? findings
    : [
        good(
          'Host, address and scheme of the client, Authorization, WebSockets, live events and large bodies arrive as they should.',
        ),
      ];
}

/** What the server says has arrived, or what answered in its place. */
export function readReport(
  { origin }: Pick<Served, 'origin'>,
  reply: Reply,
): { readonly report: SelfCheckReport } | { readonly finding: Finding } {
  const { status, body } = reply;
  if (status >= 300 && status < 400)
    return { finding: problem('redirected', { origin: origin.origin, location: reply.header('location') }) };
  const report = status === 200 ? SelfCheckReport.safeParse(jsonOf(body)).data : undefined;
  return report === undefined ? { finding: problem('anotherServer', { origin: origin.origin, status }) } : { report };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function judgeHeaders({ origin, options }: Served, report: SelfCheckReport): Finding[] {
  const { trustedProxies: trusted } = options;
  const { host, ip, forwardedFor, authorization } = report;
  const hasProxy = forwardedFor !== '' && forwardedFor !== inventedAddress;
  return [
    ...(host === origin.host ? [] : [problem('hostChanged', { arrived: host, sent: origin.host })]),
    ...(new URL(report.origin).protocol === origin.protocol
      ? []
      : [problem('schemeLost', { arrived: report.origin, origin: origin.origin })]),
    ...(trusted === 0 && hasProxy ? [problem('proxyUntrusted', {})] : []),
    ...(trusted > 0 && forwardedFor === '' ? [problem('forwardedForMissing', { trusted })] : []),
    ...(ip === inventedAddress ? [problem('forwardedForBelieved', { trusted })] : []),
    ...(authorization === credentials ? [] : [problem('authorizationLost', {})]),
  ];
}

/** The handshake itself is between client and server: what a proxy has to pass are its headers. */
async function checkUpgrade(served: Served, signal: AbortSignal): Promise<Finding[]> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  const read = readReport(served, await askServer(served, selfCheckPath, { headers, signal }));
  const arrives = 'report' in read && read.report.upgrade.toLowerCase() === 'websocket';
  return arrives ? [] : [problem('upgradeLost', {})];
}

async function checkStream(served: Served, signal: AbortSignal): Promise<Finding[]> {
  const headers = { accept: 'text/event-stream' };
  const { body, bodyMilliseconds } = await askServer(served, selfCheckStreamPath, { headers, signal });
  const isWhole = body.includes(selfCheckBegin) && body.includes(selfCheckEnd);
  // A proxy that holds it back passes head and events at once, at the end.
  return isWhole && bodyMilliseconds > selfCheckPauseMilliseconds / 2 ? [] : [problem('streamBuffered', {})];
}

const refusals: ReadonlySet<number> = new Set([413, 400, 502, 503]);

async function checkBody({ origin }: Served, signal: AbortSignal): Promise<Finding[]> {
  const bytes = mediaLimits.filmBytesMax + megabyte / 2;
  const headers = { 'content-type': 'multipart/form-data; boundary=doctor' };
  const status = await askToSend({ url: new URL('/api/v2/media', origin), headers, signal }, bytes);
  if (!refusals.has(status)) return [];
  return [problem('bodyTooLarge', { megabytes: Math.round(mediaLimits.filmBytesMax / megabyte), status })];
}
