/** Name resolution as a port: tests replace DNS, and development fleets use the hosts file. */
import { lookup, Resolver } from 'node:dns/promises';
import { fetcherLimits } from './limits.ts';

export interface NameResolver {
  /**
   * The addresses of a host name, in the order to try them. Rejects with the `code` `ENOTFOUND` or `ENODATA` where the
   * name does not exist, and with another one where that is unknown.
   */
  resolve(hostname: string): Promise<readonly string[]>;
}

/**
 * Queries name servers directly. Unlike getaddrinfo this uses no thread of the pool that commits and cryptography need,
 * so dead name servers cannot block them; the price is that the hosts file is not read. `servers` are `address[:port]`;
 * by default the system's.
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

/** Uses the operating system, including the hosts file. Each lookup occupies a pool thread: for development only. */
export function createSystemResolver(): NameResolver {
  return {
    async resolve(hostname) {
      const found = await lookup(hostname, { all: true });
      return found.map(({ address }) => address);
    },
  };
}
