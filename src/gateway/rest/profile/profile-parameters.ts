/** The changeable parts of a profile, under the names of the Mastodon API. */
import type { z } from 'zod';
import type { changeProfile } from '../../../operations/profile/change-profile.ts';
import { pictureForms } from '../../../services/media/picture-forms.ts';
import { boolean, file, groupList, text, textList } from '../../http/parameter-types.ts';

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
  avatar: file(pictureForms.avatar),
  header: file(pictureForms.header),
  avatar_description: text,
  header_description: text,
};

type Given = z.output<z.ZodObject<typeof profileParameters>>;

export function profileChanges(given: Given): z.output<typeof changeProfile.input> {
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
    avatarFile: given.avatar?.path,
    headerFile: given.header?.path,
    avatarDescription: given.avatar_description,
    headerDescription: given.header_description,
  };
}
