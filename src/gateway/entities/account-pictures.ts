/** The pictures of an account in its entities. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Addresses } from '../../services/addresses.ts';
import { pictureOrDefault, shownPicture } from '../../services/media/shown-pictures.ts';

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
  const avatar = pictureOrDefault(addresses, profile, 'avatar');
  const header = pictureOrDefault(addresses, profile, 'header');
  const { avatarDescription = '', headerDescription = '', suspendedAt } = profile;
  return {
    avatar: avatar.address,
    avatar_static: avatar.still,
    avatar_description: suspendedAt === undefined ? avatarDescription : '',
    header: header.address,
    header_static: header.still,
    header_description: suspendedAt === undefined ? headerDescription : '',
  };
}
