/** Files of other servers are shown through addresses that only this server can make. */
import { expect, test } from 'vitest';
import type { RemoteAddresses } from '../../../src/actors/account/profile/profile.records.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { pictureForms } from '../../../src/services/media/picture-forms.ts';
import { isProxiedKind, proxiedMedia } from '../../../src/services/media/proxied-media.ts';
import { only } from '../../support/only.ts';

const withKey = (key: string | undefined) =>
  new Addresses('https://here.example', undefined, 'https://media.example', () => key);
const addresses = withKey('a key');
const remote = 'https://elsewhere.example/files/ä 1.png?size=2#x';

const partsOf = (address: string): Record<string, string> => {
  const [, , kind = '', signature = '', encoded = ''] = new URL(address).pathname.split('/');
  return { kind, signature, address: encoded };
};

test('the address hides the file, and is read back only unchanged and under the same key', () => {
  const shown = addresses.shownMedia(remote, 'preview', {})!;
  expect(shown).toMatch(/^https:\/\/here\.example\/media_proxy\/preview\/[\w-]{22}\/[\w-]+$/);
  expect(addresses.shownMedia(remote, 'preview', {})!).toBe(shown);
  const parts = partsOf(shown);
  expect(addresses.proxiedMedia(parts)).toEqual({ kind: 'preview', address: remote });

  const other = Buffer.from('https://internal.example/').toString('base64url');
  const flipped = `${parts.signature![0] === 'A' ? 'B' : 'A'}${parts.signature!.slice(1)}`;
  const forged: Record<string, string>[] = [
    { ...parts, kind: 'picture' },
    { ...parts, kind: 'constructor' },
    { ...parts, address: other },
    { ...parts, address: '' },
    { ...parts, signature: flipped },
    { ...parts, signature: '' },
    {},
  ];
  for (const one of forged) expect(addresses.proxiedMedia(one)).toBeUndefined();
  expect(withKey('another key').proxiedMedia(parts)).toBeUndefined();
  expect(withKey(undefined).proxiedMedia(parts)).toBeUndefined();
});

test('it names the server of whoever shows the file, unless the name of the file says enough', () => {
  const by = (domain: string, uri?: string) => {
    const remote = uri === undefined ? undefined : only<RemoteAddresses>('addresses', { uri });
    const shown = addresses.shownMedia('https://files.elsewhere.example/a b.png', 'avatar', { domain, remote })!;
    return addresses.proxiedMedia(partsOf(shown))?.servers;
  };
  expect(by('elsewhere.example', 'https://files.elsewhere.example/users/a')).toBeUndefined();
  expect(by('other.example')).toEqual(['other.example']);
  expect(by('other.example', 'https://social.other.example/a')).toEqual(['other.example', 'social.other.example']);
  expect(by('elsewhere.example', 'https://social.other.example/a')).toEqual(['social.other.example']);
  expect(by('notelsewhere.example')).toEqual(['notelsewhere.example']);
  const parts = partsOf(addresses.shownMedia(remote, 'picture', { domain: 'other.example' })!);
  const [address, servers] = parts.address!.split('.');
  const forged = [address!, `${address}.${Buffer.from('x.example').toString('base64url')}`, `${servers}.${address}`];
  for (const one of forged) expect(addresses.proxiedMedia({ ...parts, address: one })).toBeUndefined();
});

test.each([
  ['a blob of this server', 'name.png', 'https://media.example/media/name.png'],
  ['a file of this server', 'https://HERE.example/avatars/3.png', 'https://HERE.example/avatars/3.png'],
])('%s is shown where it is', (_what, reference, address) => {
  expect(addresses.shownMedia(reference, 'avatar', {})).toBe(address);
});

test('before there is a key the address is that at the other server', () => {
  expect(withKey(undefined).shownMedia(remote, 'picture', {})).toBe(remote);
});

test.each(Object.entries(proxiedMedia))('%s has a form with the part that is shown', (kind, { form, part }) => {
  expect(isProxiedKind(kind)).toBe(true);
  if (form === 'played') return;
  const row: { readonly preview?: unknown; readonly still: boolean } = pictureForms[form];
  expect(part === 'original' || (part === 'preview' ? row.preview !== undefined : row.still)).toBe(true);
});
