/**
 * The addresses under which files of other servers are shown, so that no reader's network address becomes known to them:
 *
 *   ORIGIN/media_proxy/KIND/SIGNATURE/ADDRESS
 *
 * ADDRESS is that of the file, in base64url. SIGNATURE is HMAC-SHA-256 (RFC 2104, truncated to 128 bits) of the kind and
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

const signatureBytes = 16;

export function proxyAddress(origin: string, key: string, { kind, address }: ProxiedFile): string {
  const signature = sign(key, kind, address).toString('base64url');
  return `${origin}${mediaProxyPath}${kind}/${signature}/${Buffer.from(address, 'utf8').toString('base64url')}`;
}

/** Undefined for what this server has not signed. */
export function readProxyAddress(
  key: string,
  parts: { readonly kind?: string; readonly signature?: string; readonly address?: string },
): ProxiedFile | undefined {
  const { kind = '', signature = '' } = parts;
  if (!isProxiedKind(kind)) return undefined;
  const address = Buffer.from(parts.address ?? '', 'base64url').toString('utf8');
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== signatureBytes || !timingSafeEqual(given, sign(key, kind, address))) return undefined;
  return { kind, address };
}

function sign(key: string, kind: ProxiedKind, address: string): Buffer {
  return createHmac('sha256', key).update(`${kind} ${address}`).digest().subarray(0, signatureBytes);
}
