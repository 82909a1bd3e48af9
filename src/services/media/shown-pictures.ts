/**
 * The addresses at which readers see the pictures of accounts and custom emojis. Those of other servers are shown through
 * this one.
 */
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Addresses } from '../addresses.ts';
import { defaultPath } from './default-pictures.ts';
import type { MediaOwner } from './media-owner.ts';

export interface ShownPicture {
  readonly address: string;
  /** Does not move: the same address where nothing that moves is to be expected. */
  readonly still: string;
}

type ShownKind = 'avatar' | 'header' | 'emoji';

/** Files of these names hardly ever move, and those that do so are shown as they are. */
const stillEnding = /\.(?:jpe?g|png)(?:\?.*)?$/i;

/** Undefined for suspended accounts, for those without the picture, and where media of its server are rejected. */
export function shownPicture(
  addresses: Addresses,
  profile: Profile,
  kind: 'avatar' | 'header',
): ShownPicture | undefined {
  const reference = profile[kind];
  if (reference === undefined || profile.suspendedAt !== undefined) return undefined;
  return shown(addresses, kind, profile, reference, profile[`${kind}Picture`]?.still?.name ?? reference);
}

/** That of the server for whoever has none to be shown. */
export function pictureOrDefault(addresses: Addresses, profile: Profile, kind: 'avatar' | 'header'): ShownPicture {
  const own = shownPicture(addresses, profile, kind);
  if (own !== undefined) return own;
  const address = `${addresses.origin}${defaultPath(profile.id, kind)}`;
  return { address, still: address };
}

/** A custom emoji of this server. */
export function ownEmoji(addresses: Addresses, { url, staticUrl }: CustomEmoji): ShownPicture {
  return { address: addresses.media(url), still: addresses.media(staticUrl) };
}

/** Undefined where media of the server of its owner are rejected. */
export function shownEmoji(
  addresses: Addresses,
  { url, staticUrl }: CustomEmoji,
  owner: MediaOwner,
): ShownPicture | undefined {
  return shown(addresses, 'emoji', owner, url, staticUrl);
}

function shown(
  addresses: Addresses,
  kind: ShownKind,
  owner: MediaOwner,
  reference: string,
  still: string,
): ShownPicture | undefined {
  const address = addresses.shownMedia(reference, kind, owner);
  if (address === undefined) return undefined;
  const isSame = still === reference && (stillEnding.test(reference) || !addresses.isElsewhere(reference));
  return { address, still: isSame ? address : (addresses.shownMedia(still, `${kind}-still`, owner) ?? address) };
}
