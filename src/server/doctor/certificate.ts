/** The certificate of the server's own address, as a server that wants to deliver something sees it. */
import { isIP } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { systemClock } from '../../runtime/threads/clock.ts';
import { type Examined, nameOf, originOf, portOf } from './examined.ts';
import { type Finding, good, problem, reasonOf } from './findings.ts';

const dayMilliseconds = 86_400_000;
/** Below what renewal leaves. */
const daysMin = 14;

interface Presented {
  readonly certificate: PeerCertificate;
  /** Why it is not trusted. */
  readonly refusal: string | undefined;
}

export async function checkCertificate(examined: Examined, signal: AbortSignal): Promise<Finding[]> {
  const origin = originOf(examined);
  if (origin.protocol !== 'https:') return [problem('noTls', { origin: origin.origin })];
  let presented: Presented;
  try {
    presented = await presentedBy(origin, signal);
  } catch (error) {
    signal.throwIfAborted();
    return [problem('tlsFails', { host: origin.host, reason: reasonOf(error) })];
  }
  return judge(nameOf(origin), presented);
}

function presentedBy(origin: URL, signal: AbortSignal): Promise<Presented> {
  const host = nameOf(origin);
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port: portOf(origin), ...name, rejectUnauthorized: false }, () => {
      const { authorized, authorizationError } = socket;
      const refusal = authorized
        ? undefined
        : String((authorizationError as Error | undefined)?.message ?? authorizationError);
      resolve({ certificate: socket.getPeerCertificate(), refusal });
      socket.destroy();
    });
    const end = () => socket.destroy(new Error('ended'));
    signal.addEventListener('abort', end, { once: true });
    socket.once('error', reject);
    socket.once('close', () => signal.removeEventListener('abort', end));
  });
}

function judge(host: string, { certificate, refusal }: Presented): Finding[] {
  const now = systemClock.now();
  const [from, to] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)];
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const other = checkServerIdentity(host, certificate);
  const names = certificate.subjectaltname ?? certificate.subject?.CN ?? 'nobody';
  const days = Math.floor((to - now) / dayMilliseconds);
  // What is said of its time explains a refusal.
  const isOfOtherTime = to < now || from > now;
  const findings = [
    ...(to < now ? [problem('certificateExpired', { host, date: dayOf(to) })] : []),
    ...(from > now ? [problem('certificateEarly', { host, date: dayOf(from) })] : []),
    ...(other === undefined ? [] : [problem('certificateOfOther', { host, names: String(names) })]),
    ...(refusal !== undefined && !isOfOtherTime && !/altname|hostname/i.test(refusal)
      ? [problem('certificateUntrusted', { host, reason: refusal })]
      : []),
    ...(!isOfOtherTime && days < daysMin ? [problem('certificateExpires', { host, date: dayOf(to), days })] : []),
  ];
  return findings.length > 0 ? findings : [good(`The certificate is for ${host} and valid for ${days} more days.`)];
}
