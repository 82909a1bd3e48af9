/** The FeaturedTag entity. */
import { z } from 'zod';
import type { FeaturedTagView } from '../../actors/account/featured-tags/featured-tags.queries.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { timeOfId } from '../../runtime/ids.ts';
import type { Addresses } from '../../services/addresses.ts';
import { date, id, smallId, text, url } from './values.ts';

export const FeaturedTagEntity = z
  .strictObject({ id, name: text.min(1), url, statuses_count: smallId, last_status_at: date.nullable() })
  .meta({ id: 'FeaturedTag' });

const dateCharacters = 10;

/** The address is that of the account's statuses with the tag, on this server. */
export function featuredTagEntity(
  tag: FeaturedTagView,
  { username, domain }: Profile,
  addresses: Addresses,
): z.output<typeof FeaturedTagEntity> {
  const { lastStatusId } = tag;
  const lastAt = lastStatusId === undefined ? undefined : new Date(timeOfId(lastStatusId)).toISOString();
  return {
    id: tag.id.toString(),
    name: tag.display,
    url: addresses.taggedBy(domain === undefined ? username : `${username}@${domain}`, tag.name),
    statuses_count: String(tag.statuses),
    last_status_at: lastAt?.slice(0, dateCharacters) ?? null,
  };
}
