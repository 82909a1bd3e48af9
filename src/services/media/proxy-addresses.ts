/**
 * The addresses under which files of other servers are shown, so that no reader's network address becomes known to them:
 *
 *   ORIGIN/media_proxy/KIND/SIGNATURE/ADDRESS
 *
 * ADDRESS is that of the file, in base64url; where the server of the account that shows it has another name, its name
 * follows behind a dot. SIGNATURE is HMAC-SHA-256 (RFC 2104, truncated to 132 bits) of all that under a secret of the
 * server: only files that this server has shown can be asked for, so it is no open proxy.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isProxiedKind, type ProxiedKind } from './proxied-media.ts';

const mediaProxyPath = '/media_proxy/';

export interface ProxiedFile {
  readonly kind: ProxiedKind;
  /** At the other server. */
  readonly address: string;
  /** Hosts of the server of the account that shows it, besides that of the file. */
  readonly servers?: readonly string[] | undefined;
}

/** Of base64url: 132 bits. */
const signatureCharacters = 22;

export function proxyAddress(origin: string, key: string, file: ProxiedFile): string {
  const { kind, address, servers = [] } = file;
  const last = [address, ...(servers.length === 0 ? [] : [servers.join(' ')])].map(encoded).join('.');
  return `${origin}${mediaProxyPath}${kind}/${sign(key, file)}/${last}`;
}

function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

/** Undefined for what this server has not signed. */
export function readProxyAddress(
  key: string,
  parts: { readonly kind?: string; readonly signature?: string; readonly address?: string },
): ProxiedFile | undefined {
  const { kind = '', signature = '' } = parts;
  if (!isProxiedKind(kind)) return undefined;
  const [address = '', servers] = (parts.address ?? '')
    .split('.')
    .map((text) => Buffer.from(text, 'base64url').toString());
  const file: ProxiedFile = { kind, address, ...(servers !== undefined && { servers: servers.split(' ') }) };
  const given = Buffer.from(signature, 'utf8');
  if (given.length !== signatureCharacters) return undefined;
  return timingSafeEqual(given, Buffer.from(sign(key, file), 'latin1')) ? file : undefined;
}

/** No kind is called `of`, and no host contains a comma or a space: an address cannot be read as both. */
function sign(key: string, { kind, address, servers = [] }: ProxiedFile): string {
  const owner = servers.length === 0 ? '' : `of ${servers.join(',')} `;
  const digest = createHmac('sha256', key).update(`${owner}${kind} ${address}`).digest('base64url');
  return digest.slice(0, signatureCharacters);
}
