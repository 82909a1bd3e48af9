/** The pictures of an account in its entities. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Addresses } from '../../services/addresses.ts';

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
  const addressOf = (reference: string | undefined) => (reference === undefined ? null : addresses.media(reference));
  const { avatar, avatarPicture, header, headerPicture } = profile;
  return {
    avatar: addressOf(avatar),
    avatar_static: addressOf(avatarPicture?.still?.name ?? avatar),
    avatar_description: profile.avatarDescription ?? '',
    header: addressOf(header),
    header_static: addressOf(headerPicture?.still?.name ?? header),
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
