/** Pictures of profiles, emojis and the server, decoded and stored on a network thread for whoever receives them. */
import type { StoredPicture } from '../../actors/blob/blob.records.ts';
import type { PictureFormName } from './picture-forms.ts';

export const storePictureTopic = 'store picture';

export interface ReceivedPicture {
  /** It stays where it is. */
  readonly path: string;
  readonly form: PictureFormName;
}

export interface Pictures {
  /**
   * Nobody holds the blobs yet: without a holder they go after a day. Throws Failure mediaRefused for what is no picture or
   * cannot be decoded, storageUnavailable and overloaded.
   */
  store(received: ReceivedPicture): Promise<StoredPicture>;
}

/** Paths of the files of a new avatar and header; null removes one, and one that is absent stays. */
export interface ProfileFiles {
  readonly avatarFile?: string | null | undefined;
  readonly headerFile?: string | null | undefined;
}

/** As the account actor takes them. Throws as `Pictures` does: then neither is stored for anybody. */
export async function storeProfilePictures(pictures: Pictures, { avatarFile, headerFile }: ProfileFiles) {
  const stored = (file: string | null | undefined, form: PictureFormName) =>
    typeof file === 'string' ? pictures.store({ path: file, form }) : file;
  return { avatarPicture: await stored(avatarFile, 'avatar'), headerPicture: await stored(headerFile, 'header') };
}
