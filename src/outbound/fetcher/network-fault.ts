/**
 * What can fail between two servers before a response arrives: a closed list, mapped from the errors of Node and
 * undici.
 */

export type NetworkFault =
  /** The policy forbids the address. Nothing was sent; the name may lead elsewhere later. */
  | 'addressBlocked'
  /** The name does not exist. */
  | 'nameUnknown'
  | 'connectFailed'
  | 'tlsFailed'
  | 'timedOut'
  /** The connection broke before the response's head; the request may have been processed. */
  | 'connectionLost'
  /** The response is not HTTP, or exceeds a bound of its form. */
  | 'protocolViolation'
  /** More hosts at once than allowed connections, or shutting down. */
  | 'busy';

/** Thrown within the connector; never leaves this folder as an exception. */
export class AddressBlockedError extends Error {
  readonly code = 'ADDRESS_BLOCKED';
}

const faultOfCode: ReadonlyMap<string, NetworkFault> = new Map([
  ['ADDRESS_BLOCKED', 'addressBlocked'],
  ['ENOTFOUND', 'nameUnknown'],
  ['ENODATA', 'nameUnknown'],
  ['ENONAME', 'nameUnknown'],
  ['EBADNAME', 'nameUnknown'],
  ['ETIMEDOUT', 'timedOut'],
  ['ETIMEOUT', 'timedOut'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timedOut'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timedOut'],
  ['UND_ERR_BODY_TIMEOUT', 'timedOut'],
  ['UND_ERR_SOCKET', 'connectionLost'],
  ['ECONNRESET', 'connectionLost'],
  ['EPIPE', 'connectionLost'],
  ['UND_ERR_HEADERS_OVERFLOW', 'protocolViolation'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'protocolViolation'],
  ['UND_ERR_MAX_ORIGINS_REACHED', 'busy'],
  ['UND_ERR_DESTROYED', 'busy'],
  ['UND_ERR_CLOSED', 'busy'],
  ['EMFILE', 'busy'],
  ['ENFILE', 'busy'],
]);

const tlsCode = /^(?:ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO$|HOSTNAME_MISMATCH)/;

/** The fault for an error of a request; unknown codes count as a failed connection. */
export function networkFaultOf(error: Error): NetworkFault {
  const code = 'code' in error ? String(error.code) : '';
  const known = faultOfCode.get(code);
  if (known !== undefined) return known;
  if (tlsCode.test(code)) return 'tlsFailed';
  if (error.name === 'HTTPParserError') return 'protocolViolation';
  // Several addresses failed in different ways: the first one represents them.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return networkFaultOf(error.errors[0]);
  return 'connectFailed';
}
