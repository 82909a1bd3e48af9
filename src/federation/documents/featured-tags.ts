/** Featured tags as Hashtag objects: reads those of remote accounts, writes those of local ones. */
import type { Tag } from '../../actors/account/statuses/statuses.records.ts';
import { normaliseTagName, withoutSign } from '../../actors/text/hashtags.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import type { Addresses } from '../../services/addresses.ts';
import { activityLimits } from '../limits.ts';
import { textOf, typeOf, valuesOf } from './values.ts';

/** It links to the account's statuses with the tag. */
export function hashtagDocument(addresses: Addresses, username: string, { name, display }: Tag): JsonObject {
  return { type: 'Hashtag', href: addresses.taggedBy(username, name), name: `#${display}` };
}

/** Undefined for anything but a Hashtag with a usable name. */
export function readHashtag(value: JsonValue): Tag | undefined {
  if (!isJsonObject(value) || typeOf(value) !== 'Hashtag') return undefined;
  const written = textOf(value.name, activityLimits.usernameCharactersMax);
  const display = written && withoutSign(written);
  const name = display === undefined ? undefined : normaliseTagName(display);
  return display === undefined || name === undefined ? undefined : { name, display };
}

/** The tags of a collection, or of its embedded first page; each once. */
export function readHashtags(collection: JsonObject, countMax: number): Tag[] {
  const { items, orderedItems, first } = collection;
  const page = isJsonObject(first) ? first : {};
  const members = items ?? orderedItems ?? page.items ?? page.orderedItems;
  const tags = valuesOf(members, countMax).flatMap((value) => readHashtag(value) ?? []);
  return tags.filter(({ name }, index) => tags.findIndex((other) => other.name === name) === index);
}
