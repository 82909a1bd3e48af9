/** The changeable parts of a profile, under the names of the Mastodon API. */
import type { z } from 'zod';
import type { changeProfile } from '../../../operations/profile/change-profile.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { boolean, file, groupList, text, textList } from '../../http/parameter-types.ts';

/** Pictures are received, so that their refusal can say why. */
const picture = file({ bytesMax: 8_388_608 });

export const profileParameters = {
  display_name: text,
  note: text,
  locked: boolean,
  bot: boolean,
  discoverable: boolean,
  hide_collections: boolean,
  indexable: boolean,
  show_media: boolean,
  show_media_replies: boolean,
  show_featured: boolean,
  attribution_domains: textList,
  fields_attributes: groupList({ name: text, value: text }),
  avatar: picture,
  header: picture,
};

type Given = z.output<z.ZodObject<typeof profileParameters>>;

/** Throws Failure validation for pictures, which are not supported. */
export function profileChanges(given: Given): z.output<typeof changeProfile.input> {
  if (given.avatar !== undefined || given.header !== undefined)
    throw validationFailure('Profile images are not available on this server');
  return {
    displayName: given.display_name,
    note: given.note,
    fields: given.fields_attributes?.map(({ name = '', value = '' }) => ({ name, value })),
    locked: given.locked,
    bot: given.bot,
    discoverable: given.discoverable,
    indexable: given.indexable,
    hideCollections: given.hide_collections,
    showMedia: given.show_media,
    showMediaReplies: given.show_media_replies,
    showFeatured: given.show_featured,
    attributionDomains: given.attribution_domains,
  };
}
