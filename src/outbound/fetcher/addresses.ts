/**
 * The IP addresses that this server may connect to. Everything that is not clearly public internet is refused, so that
 * a URL from another server cannot reach internal networks (SSRF).
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Never connectable, whatever the configuration: addresses of more than one host, and metadata services of cloud
 * machines.
 */
const forbidden = blockListOf([
  ['0.0.0.0', 8], // this network
  ['169.254.0.0', 16], // link-local, metadata services
  ['192.0.0.0', 24], // IETF protocol assignments
  ['192.0.2.0', 24], // TEST-NET-1
  ['192.88.99.0', 24], // 6to4 relays
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // TEST-NET-2
  ['203.0.113.0', 24], // TEST-NET-3
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
  ['2001::', 23], // IETF protocol assignments with Teredo, ORCHID, benchmarking
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
]);

/** Loopback and private networks: connectable only where the configuration allows it. */
const privateNetworks = blockListOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7], // unique local
]);

/**
 * The only range of IPv6 that is assigned to hosts; mapped, compatible, NAT64 and link-local addresses are all outside.
 */
const globalUnicast = blockListOf([['2000::', 3]]);

const mappedIPv4 = blockListOf([['::ffff:0:0', 96]]);

function blockListOf(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefixBits] of networks) list.addSubnet(network, prefixBits, isIPv4(network) ? 'ipv4' : 'ipv6');
  return list;
}

/**
 * Whether this address, as written by `net` and `dns`, may be connected to. False for anything that is not an address.
 */
export function isConnectable(address: string, allowPrivate: boolean): boolean {
  if (isIPv4(address)) {
    return !forbidden.check(address, 'ipv4') && (allowPrivate || !privateNetworks.check(address, 'ipv4'));
  }
  // An address with a scope names an interface of this machine; a mapped one is an IPv4 address.
  if (!isIPv6(address) || address.includes('%') || mappedIPv4.check(address, 'ipv6')) return false;
  if (privateNetworks.check(address, 'ipv6')) return allowPrivate;
  return globalUnicast.check(address, 'ipv6') && !forbidden.check(address, 'ipv6');
}
