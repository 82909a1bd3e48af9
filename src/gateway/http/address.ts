/**
 * Addresses of clients: as text for logs and records, and as the key of rate limits. An IPv6 client commonly has a
 * whole /64, so the first four groups represent it.
 */
import { isIP, SocketAddress } from 'node:net';

/**
 * The text of a binary address: 4 bytes, or 16 bytes, of which an IPv4-mapped one is shown as IPv4. Whoever comes through a
 * Unix socket has none, and is on this machine.
 */
export function addressText(binary: ArrayBuffer): string {
  const octets = new Uint8Array(binary);
  if (octets.length === 0) return '127.0.0.1';
  if (octets.length === 4) return `${octets[0]}.${octets[1]}.${octets[2]}.${octets[3]}`;
  if (isMapped(octets)) return `${octets[12]}.${octets[13]}.${octets[14]}.${octets[15]}`;
  const groups: string[] = [];
  for (let index = 0; index + 1 < octets.length; index += 2) {
    groups.push(((octets[index]! << 8) | octets[index + 1]!).toString(16));
  }
  return groups.join(':');
}

function isMapped(octets: Uint8Array): boolean {
  if (octets.length !== 16 || octets[10] !== 0xff || octets[11] !== 0xff) return false;
  for (let index = 0; index < 10; index += 1) {
    if (octets[index] !== 0) return false;
  }
  return true;
}

/**
 * The client's address in `X-Forwarded-For` behind `proxyCount` proxies of the operator. Each proxy appends the address
 * of its peer, so only the last `proxyCount` entries can be trusted. A proxy that listens for both protocols on one
 * socket reports IPv4-mapped IPv6: that is shown as IPv4, or all such clients would share one /64. Undefined when that
 * entry is missing or not an address.
 */
export function forwardedAddress(header: string, proxyCount: number): string | undefined {
  const entries = header.split(',');
  const entry = entries[entries.length - proxyCount]?.trim();
  if (entry === undefined) return undefined;
  const bare = entry.startsWith('[') ? entry.slice(1, entry.indexOf(']')) : entry;
  switch (isIP(bare)) {
    case 4:
      return bare;
    case 6:
      return withoutMapping(bare);
    default:
      return undefined;
  }
}

const mappedStart = '::ffff:';

/** An IPv6 address unchanged; an IPv4-mapped one, in any spelling, as IPv4. */
function withoutMapping(address: string): string {
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = canonical.startsWith(mappedStart) ? canonical.slice(mappedStart.length) : '';
  return isIP(mapped) === 4 ? mapped : address;
}
