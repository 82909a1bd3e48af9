/** Name resolution as a port: tests replace DNS, and a development fleet uses the hosts file. */
import { lookup, Resolver } from 'node:dns/promises';
import { fetcherLimits } from './limits.ts';

export interface NameResolver {
  /**
   * The addresses of a host name, in the order to try them. Rejects with an error whose `code` is `ENOTFOUND` or `ENODATA`
   * where the name does not exist, and with another one where nobody could say.
   */
  resolve(hostname: string): Promise<readonly string[]>;
}

/**
 * Asks the name servers directly. Unlike getaddrinfo this takes no thread of the pool that commits and cryptography need,
 * so that dead name servers cannot stop them; the price is that the hosts file is not read. `servers` are `address[:port]`;
 * those of the machine when absent.
 */
export function createDnsResolver(servers?: readonly string[]): NameResolver {
  const resolver = new Resolver({
    timeout: fetcherLimits.resolveTimeoutMilliseconds,
    tries: fetcherLimits.resolveTries,
  });
  if (servers !== undefined) resolver.setServers(servers);
  return {
    async resolve(hostname) {
      const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const addresses: string[] = [];
      if (six.status === 'fulfilled') addresses.push(...six.value);
      if (four.status === 'fulfilled') addresses.push(...four.value);
      if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
      return addresses;
    },
  };
}

/** Asks the operating system, hosts file included. Each question holds a pool thread: for development only. */
export function createSystemResolver(): NameResolver {
  return {
    async resolve(hostname) {
      const found = await lookup(hostname, { all: true });
      return found.map(({ address }) => address);
    },
  };
}
