/** Signatures of simulated servers (draft-cavage-12), made with node:crypto alone. */
import { createHash, sign } from 'node:crypto';
import type { RemotePerson } from './inbound-bed.ts';

/** Of a POST. `more`: further headers, by lower-case names. */
export function signedHeaders(
  person: RemotePerson,
  path: string,
  body: string,
  now: number,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const date = new Date(now).toUTCString();
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  const lines = Object.entries(more).map(([name, value]) => `\n${name}: ${value}`);
  const text = `(request-target): post ${path}\nhost: social.example\ndate: ${date}\ndigest: ${digest}${lines.join('')}`;
  const signature = sign('sha256', Buffer.from(text), person.pair.privateKey).toString('base64');
  const names = ['(request-target) host date digest', ...Object.keys(more)].join(' ');
  return { date, digest, ...more, signature: signatureHeader(person, names, signature) };
}

export function signedGetHeaders(person: RemotePerson, path: string, now: number): Record<string, string> {
  const date = new Date(now).toUTCString();
  const text = `(request-target): get ${path}\nhost: social.example\ndate: ${date}`;
  const signature = sign('sha256', Buffer.from(text), person.pair.privateKey).toString('base64');
  return { date, signature: signatureHeader(person, '(request-target) host date', signature) };
}

function signatureHeader(person: RemotePerson, headers: string, signature: string): string {
  return `keyId="${person.keyId}",algorithm="rsa-sha256",headers="${headers}",signature="${signature}"`;
}
