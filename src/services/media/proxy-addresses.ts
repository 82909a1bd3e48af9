/**
 * The addresses under which files of other servers are shown, so that no reader's network address becomes known to them:
 *
 *   ORIGIN/media_proxy/KIND/SIGNATURE/ADDRESS
 *
 * ADDRESS is that of the file, in base64url. SIGNATURE is HMAC-SHA-256 (RFC 2104, truncated to 132 bits) of the kind and
 * the address under a secret of the server: only files that this server has shown can be asked for, so it is no open
 * proxy.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isProxiedKind, type ProxiedKind } from './proxied-media.ts';

const mediaProxyPath = '/media_proxy/';

export interface ProxiedFile {
  readonly kind: ProxiedKind;
  /** At the other server. */
  readonly address: string;
}

/** Of base64url: 132 bits. */
const signatureCharacters = 22;

export function proxyAddress(origin: string, key: string, { kind, address }: ProxiedFile): string {
  return `${origin}${mediaProxyPath}${kind}/${sign(key, kind, address)}/${Buffer.from(address, 'utf8').toString('base64url')}`;
}

/** Undefined for what this server has not signed. */
export function readProxyAddress(
  key: string,
  parts: { readonly kind?: string; readonly signature?: string; readonly address?: string },
): ProxiedFile | undefined {
  const { kind = '', signature = '' } = parts;
  if (!isProxiedKind(kind)) return undefined;
  const address = Buffer.from(parts.address ?? '', 'base64url').toString('utf8');
  const given = Buffer.from(signature, 'utf8');
  if (given.length !== signatureCharacters) return undefined;
  return timingSafeEqual(given, Buffer.from(sign(key, kind, address), 'latin1')) ? { kind, address } : undefined;
}

function sign(key: string, kind: ProxiedKind, address: string): string {
  return createHmac('sha256', key).update(`${kind} ${address}`).digest('base64url').slice(0, signatureCharacters);
}
