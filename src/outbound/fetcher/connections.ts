/**
 * The connections to other servers, shared by GETs and deliveries: HTTP/1.1 with keep-alive (HTTP/2 costs Node's client
 * several times the CPU), without a proxy or automatic redirects. A TLS handshake costs several signatures, so that
 * connections stay open as long as the other side keeps them (`Keep-Alive: timeout`, or as long as most servers do).
 *
 * Invariants:
 * 1. Every connection is checked: its address was resolved here and allowed by `isConnectable` at connect time, so that
 *    a name that changes its address after a check gains nothing.
 * 2. Certificates are always verified, against the system's authorities and those of NODE_EXTRA_CA_CERTS.
 */
import { isIP, isIPv4, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Agent as AgentType, buildConnector as connectorType } from 'undici';
import type { Clock } from '../../runtime/ports.ts';
import { isConnectable } from './addresses.ts';
import { type FetcherLimits, fetcherLimits } from './limits.ts';
import type { NameResolver } from './name-resolver.ts';
import { AddressBlockedError } from './network-fault.ts';
import type { RemotePolicy } from './remote-policy.ts';
import { Agent, buildConnector, leanPool } from './undici.ts';

export interface ConnectionOptions extends Clock {
  readonly resolver: NameResolver;
  readonly policy: RemotePolicy;
  /** `Name/version (+https://host/)`, sent with every request. */
  readonly userAgent: string;
  readonly limits?: FetcherLimits;
}

/** Everything that a request to another server needs; one per network thread. */
export interface RemoteConnections extends Clock {
  readonly agent: AgentType;
  readonly policy: RemotePolicy;
  readonly userAgent: string;
  readonly limits: FetcherLimits;
  /** Ends idle connections at once, and running requests with the fault `busy`. */
  close(): Promise<void>;
}

export function createConnections(options: ConnectionOptions): RemoteConnections {
  const limits = options.limits ?? fetcherLimits;
  const agent = new Agent({
    factory: leanPool,
    connect: guardedConnector(options.resolver, options.policy, limits),
    allowH2: false,
    pipelining: 1,
    connections: limits.connectionsPerOriginMax,
    maxOrigins: limits.originsMax,
    keepAliveTimeout: limits.keepAliveMilliseconds,
    keepAliveMaxTimeout: limits.keepAliveMillisecondsMax,
    headersTimeout: limits.headersTimeoutMilliseconds,
    bodyTimeout: limits.bodyIdleTimeoutMilliseconds,
    maxHeaderSize: limits.headerBytesMax,
  });
  return {
    agent,
    policy: options.policy,
    userAgent: options.userAgent,
    limits,
    now: () => options.now(),
    monotonic: () => options.monotonic(),
    close: () => agent.destroy(),
  };
}

function guardedConnector(
  resolver: NameResolver,
  policy: RemotePolicy,
  limits: FetcherLimits,
): connectorType.connector {
  const open = new Set<Socket>();
  const connect = buildConnector({
    allowH2: false,
    // Reading the authorities again for each connection would cost a fifth of its handshake.
    secureContext: createSecureContext(),
    timeout: limits.connectTimeoutMilliseconds,
    maxCachedSessions: limits.tlsSessionsMax,
    lookup: guardedLookup(resolver, policy, limits),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: limits.addressAttemptMilliseconds,
  });
  return (options, callback) => {
    // A literal address needs no lookup.
    if (isIP(options.hostname) !== 0 && !isConnectable(options.hostname, policy.allowPrivate)) {
      callback(new AddressBlockedError(`${options.hostname} is not a public address`), null);
      return;
    }
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      countOpen(open, socket, limits);
      callback(null, socket);
    });
  };
}

/** Above a number of them each new connection is closed earlier when nothing happens on it: each has some 50 KB. */
function countOpen(open: Set<Socket>, socket: Socket, limits: FetcherLimits): void {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
  if (open.size > limits.longIdleConnectionsMax)
    socket.setTimeout(limits.shortIdleMilliseconds, () => socket.destroy());
}

function guardedLookup(resolver: NameResolver, policy: RemotePolicy, limits: FetcherLimits): LookupFunction {
  return (hostname, options, callback) => {
    resolver.resolve(hostname).then(
      (addresses) => {
        const allowed = selectAddresses(addresses, policy.allowPrivate, limits.addressesPerFamilyMax);
        const first = allowed[0];
        if (first === undefined) callback(noAddress(hostname, addresses.length), []);
        else if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function noAddress(hostname: string, found: number): Error {
  if (found > 0) return new AddressBlockedError(`${hostname} has no public address`);
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA' });
}

interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The allowed addresses in the resolver's order, up to a bound per family. */
function selectAddresses(addresses: readonly string[], allowPrivate: boolean, perFamilyMax: number): Address[] {
  const selected: Address[] = [];
  const counts = { 4: 0, 6: 0 };
  for (const address of addresses) {
    const family = isIPv4(address) ? 4 : 6;
    if (counts[family] === perFamilyMax || !isConnectable(address, allowPrivate)) continue;
    counts[family] += 1;
    selected.push({ address, family });
  }
  return selected;
}
