/** The pictures of a local profile: each is held in the blob store for as long as the profile shows it. */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { StoredPicture } from '../../blob/blob.records.ts';
import { holdPicture, releasePicture } from '../../held-pictures.ts';
import type { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { Profile } from './profile.records.ts';

type Pictures = Pick<BodyOf<typeof Account.changeProfile>, 'avatarPicture' | 'headerPicture'>;

/** The fields of the profile that follow from new pictures, and from those that are removed. */
export function replacedPictures(turn: AccountTurn, before: Profile, given: Pictures): Partial<Profile> {
  return {
    ...replacedPicture(turn, before, 'avatar', given.avatarPicture),
    ...replacedPicture(turn, before, 'header', given.headerPicture),
  };
}

function replacedPicture(
  turn: AccountTurn,
  before: Profile,
  name: 'avatar' | 'header',
  picture: StoredPicture | null | undefined,
): Partial<Profile> {
  if (picture === undefined) return {};
  const held = picture === null ? undefined : holdPicture(turn, picture, turn.nextId());
  releasePicture(turn, before[`${name}Picture`]);
  return {
    [name]: held?.file.name,
    [`${name}Picture`]: held,
    ...(held === undefined && { [`${name}Description`]: undefined }),
  };
}
