/** Entity tags: 304 where the client has the same bytes (RFC 9110, section 13). */
import { hash } from 'node:crypto';

const etagCharacters = 22;

/** The tag of a body, with its quotation marks. */
export function etagOf(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, etagCharacters)}"`;
}

/** Whether `If-None-Match` names the tag. */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag);
}
