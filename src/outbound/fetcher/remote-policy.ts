/** Which remote URLs may be requested, as far as that can be decided before name resolution. */
import { fetcherLimits } from './limits.ts';

export interface RemotePolicy {
  /**
   * Loopback and private networks, and names without a dot. For development, fleets on one machine and closed networks.
   */
  readonly allowPrivate: boolean;
  /** Plain http; where it is off, redirects to it are refused as well. */
  readonly allowHttp: boolean;
  /**
   * Hosts (host[:port], lower case) that are never requested: our own, which would allow forgery, and suspended ones.
   * `isBeside`: for a file of a server of another name that may be dealt with.
   */
  isRefusedHost(host: string, isBeside: boolean): boolean;
}

export type RemoteUrl = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly detail: string };

/** Ports of internal plain-text services: never fetched. Below 1024 only 80 and 443 are allowed anyway. */
const internalPorts: ReadonlySet<number> = new Set([
  1080, 1433, 1521, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 4222, 4369, 5060, 5061, 5432, 5672,
  5900, 5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 7000, 7001, 8125, 8500, 9042, 9092, 9100,
  9200, 9300, 10250, 11211, 15672, 27017, 27018,
]);

/**
 * Checks a URL against the policy and normalises its host (lower case, punycode, no trailing dot). Path and query stay
 * as the URL parser leaves them; the fragment is dropped.
 */
export function parseRemoteUrl(text: string, policy: RemotePolicy, isBeside = false): RemoteUrl {
  if (text.length > fetcherLimits.urlCharactersMax) return refused('the URL is too long');
  const url = URL.parse(text);
  if (url === null) return refused('not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowHttp))
    return refused('scheme not allowed');
  if (url.username !== '' || url.password !== '') return refused('the URL holds credentials');
  if (!isAllowedPort(url.port)) return refused('port not allowed');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (!policy.allowPrivate && !/[.:]/.test(url.hostname)) return refused('the host has no domain');
  if (policy.isRefusedHost(url.host, isBeside)) return refused('the host is our own or suspended');
  if (url.hash !== '') url.hash = '';
  return { ok: true, url };
}

function refused(detail: string): RemoteUrl {
  return { ok: false, detail };
}

function isAllowedPort(port: string): boolean {
  if (port === '') return true;
  const number = Number(port);
  return number >= 1024 ? !internalPorts.has(number) : number === 80 || number === 443;
}
