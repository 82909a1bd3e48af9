/**
 * The addresses at which readers see the pictures of accounts and custom emojis. Those of other servers are shown through
 * this one.
 */
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Addresses } from '../addresses.ts';
import { defaultPath } from './default-pictures.ts';

export interface ShownPicture {
  readonly address: string;
  /** Does not move: the same address where nothing that moves is to be expected. */
  readonly still: string;
}

type ShownKind = 'avatar' | 'header' | 'emoji';

/** Files of these names hardly ever move, and those that do so are shown as they are. */
const stillEnding = /\.(?:jpe?g|png)(?:\?.*)?$/i;

/** Undefined for suspended accounts, and for those without the picture. */
export function shownPicture(
  addresses: Addresses,
  profile: Profile,
  kind: 'avatar' | 'header',
): ShownPicture | undefined {
  const reference = profile[kind];
  if (reference === undefined || profile.suspendedAt !== undefined) return undefined;
  return shown(addresses, kind, reference, profile[`${kind}Picture`]?.still?.name ?? reference);
}

/** That of the server for whoever has none, and for suspended accounts. */
export function pictureOrDefault(addresses: Addresses, profile: Profile, kind: 'avatar' | 'header'): ShownPicture {
  const own = shownPicture(addresses, profile, kind);
  if (own !== undefined) return own;
  const address = `${addresses.origin}${defaultPath(profile.id, kind)}`;
  return { address, still: address };
}

export function shownEmoji(addresses: Addresses, { url, staticUrl }: CustomEmoji): ShownPicture {
  return shown(addresses, 'emoji', url, staticUrl);
}

function shown(addresses: Addresses, kind: ShownKind, reference: string, still: string): ShownPicture {
  const address = addresses.shownMedia(reference, kind);
  const isSame = still === reference && (stillEnding.test(reference) || !addresses.isElsewhere(reference));
  return { address, still: isSame ? address : addresses.shownMedia(still, `${kind}-still`) };
}
