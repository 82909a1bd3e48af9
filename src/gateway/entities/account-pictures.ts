/** The pictures of an account in its entities. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Addresses } from '../../services/addresses.ts';
import { shownPicture } from '../../services/media/shown-pictures.ts';

interface Pictures<None> {
  avatar: string | None;
  /** Does not move. So does `header_static`. */
  avatar_static: string | None;
  avatar_description: string;
  header: string | None;
  header_static: string | None;
  header_description: string;
}

/** Null where the account has none of its own. */
export function ownPictures(profile: Profile, addresses: Addresses): Pictures<null> {
  const avatar = shownPicture(addresses, profile, 'avatar');
  const header = shownPicture(addresses, profile, 'header');
  return {
    avatar: avatar?.address ?? null,
    avatar_static: avatar?.still ?? null,
    avatar_description: profile.avatarDescription ?? '',
    header: header?.address ?? null,
    header_static: header?.still ?? null,
    header_description: profile.headerDescription ?? '',
  };
}

/** With those of the server for whoever has none, and for suspended accounts. */
export function shownPictures(profile: Profile, addresses: Addresses): Pictures<never> {
  const isSuspended = profile.suspendedAt !== undefined;
  const own = isSuspended ? undefined : ownPictures(profile, addresses);
  const avatar = `${addresses.origin}/avatars/missing.png`;
  const header = `${addresses.origin}/headers/missing.png`;
  return {
    avatar: own?.avatar ?? avatar,
    avatar_static: own?.avatar_static ?? avatar,
    avatar_description: own?.avatar_description ?? '',
    header: own?.header ?? header,
    header_static: own?.header_static ?? header,
    header_description: own?.header_description ?? '',
  };
}
