/** Load goes to this machine only, unless whoever starts it says that the server is his. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { LoadFailure } from '../failure.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Rejects with a LoadFailure for an address that is not loopback, whatever its name is. */
export async function assertMayLoad(address: URL, isOwn: boolean): Promise<void> {
  if (isOwn) return;
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const addresses = await addressesOf(host);
  const elsewhere = addresses.find((one) => !loopback.check(one, isIP(one) === 6 ? 'ipv6' : 'ipv4'));
  if (elsewhere !== undefined)
    throw new LoadFailure('addressRefused', `${address.host} is not on this machine (${elsewhere}).`);
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new LoadFailure('serverUnreachable', `There is no address for ${host}.`);
  }
}
