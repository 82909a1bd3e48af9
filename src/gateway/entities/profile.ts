/** The Profile entity: what the owner of an account may edit, as it was written. */
import { z } from 'zod';
import type { FeaturedTagView } from '../../actors/account/featured-tags/featured-tags.queries.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Addresses } from '../../services/addresses.ts';
import { ownPictures } from './account-pictures.ts';
import { FeaturedTagEntity, featuredTagEntity } from './featured-tag.ts';
import { FieldEntity, fieldEntity, sourceFieldEntity } from './field.ts';
import { flag, id, text, url } from './values.ts';

export const ProfileEntity = z
  .strictObject({
    id,
    display_name: text,
    note: text,
    fields: z.array(FieldEntity),
    /** Both as HTML, as others are shown them. */
    formatted_note: text,
    formatted_fields: z.array(FieldEntity),
    avatar: url.nullable(),
    avatar_static: url.nullable(),
    avatar_description: text,
    header: url.nullable(),
    header_static: url.nullable(),
    header_description: text,
    locked: flag,
    bot: flag,
    hide_collections: flag.nullable(),
    discoverable: flag.nullable(),
    indexable: flag,
    show_media: flag,
    show_media_replies: flag,
    show_featured: flag,
    attribution_domains: z.array(text),
    featured_tags: z.array(FeaturedTagEntity),
  })
  .meta({ id: 'Profile' });

export function profileEntity(
  profile: Profile,
  featuredTags: readonly FeaturedTagView[],
  addresses: Addresses,
): z.output<typeof ProfileEntity> {
  const html = (stored: string) => addresses.absoluteLinks(stored);
  return {
    id: profile.id.toString(),
    display_name: profile.displayName,
    note: profile.note,
    fields: profile.fields.map(sourceFieldEntity),
    formatted_note: html(profile.noteHtml),
    formatted_fields: profile.fields.map((field) => fieldEntity(field, html)),
    ...ownPictures(profile, addresses),
    locked: profile.locked,
    bot: profile.bot,
    hide_collections: profile.hideCollections,
    discoverable: profile.discoverable ?? null,
    indexable: profile.indexable,
    show_media: profile.showMedia ?? true,
    show_media_replies: profile.showMediaReplies ?? true,
    show_featured: profile.showFeatured ?? true,
    attribution_domains: [...(profile.attributionDomains ?? [])],
    featured_tags: featuredTags.map((tag) => featuredTagEntity(tag, profile, addresses)),
  };
}
