/** Pictures of people and emojis of other servers are shown through this one, the still ones where something may move. */
import { expect, test } from 'vitest';
import type { Profile } from '../../../src/actors/account/profile/profile.records.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { shownEmoji, shownPicture } from '../../../src/services/media/shown-pictures.ts';
import { only } from '../../support/only.ts';

const addresses = new Addresses('https://here.example', undefined, undefined, () => 'a key');
const elsewhere = (name: string) => `https://elsewhere.example/${name}`;

/** The kind and the file of an address of the proxy; other addresses as they are. */
function read(address: string): string {
  const [, proxy, kind = '', signature = '', encoded = ''] = new URL(address).pathname.split('/');
  if (proxy !== 'media_proxy') return address;
  const file = addresses.proxiedMedia({ kind, signature, address: encoded });
  return `${file?.kind} ${file?.address}`;
}

function avatarOf(given: Partial<Profile>): readonly string[] | undefined {
  const none = {
    domain: undefined,
    remote: undefined,
    avatar: undefined,
    avatarPicture: undefined,
    suspendedAt: undefined,
  };
  const shown = shownPicture(addresses, only<Profile>('profile', { ...none, ...given }), 'avatar');
  return shown && [read(shown.address), read(shown.still)];
}

const held = (file: string, still?: string) => ({
  file: { name: file, bytes: 1 },
  still: still === undefined ? undefined : { name: still, bytes: 1 },
  holderId: 1n,
});
const photo = elsewhere('a.JPG?v=2');
const moving = elsewhere('a.webp');

test.each<[string, Partial<Profile>, readonly string[] | undefined]>([
  ['a photo of another server', { avatar: photo }, [`avatar ${photo}`, `avatar ${photo}`]],
  ['what may move there', { avatar: moving }, [`avatar ${moving}`, `avatar-still ${moving}`]],
  [
    'a photo of this server',
    { avatar: 'a.jpeg', avatarPicture: held('a.jpeg') },
    ['https://here.example/media/a.jpeg', 'https://here.example/media/a.jpeg'],
  ],
  [
    'what moves here',
    { avatar: 'a.gif', avatarPicture: held('a.gif', 's.png') },
    ['https://here.example/media/a.gif', 'https://here.example/media/s.png'],
  ],
  ['none', {}, undefined],
  ['that of a suspended account', { avatar: photo, suspendedAt: 1 }, undefined],
])('an avatar: %s', (_what, given, expected) => expect(avatarOf(given)).toEqual(expected));

test.each([
  ['one picture', elsewhere('e.gif'), elsewhere('e.gif'), ['emoji', 'emoji-still']],
  ['one that does not move', elsewhere('e.png'), elsewhere('e.png'), ['emoji', 'emoji']],
  ['two pictures', elsewhere('e.gif'), elsewhere('e.png'), ['emoji', 'emoji-still']],
])('an emoji with %s', (_what, url, staticUrl, [kind, stillKind]) => {
  const { address, still } = shownEmoji(addresses, { shortcode: 'e', url, staticUrl }, {})!;
  expect([read(address), read(still)]).toEqual([`${kind} ${url}`, `${stillKind} ${staticUrl}`]);
});
