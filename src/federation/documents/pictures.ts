/** Pictures of profiles and custom emojis in documents: at the addresses where they are, never at those of the proxy. */
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Addresses } from '../../services/addresses.ts';
import { mediaTypeOf } from '../../services/blobs/blob-names.ts';
import { parseBlobName } from '../../services/blobs/blob-store.ts';

/** The description is in `summary` for newer servers, in `name` for older ones (behaviour of Mastodon). */
export function imageDocument(addresses: Addresses, reference: string, description = ''): JsonObject {
  const name = parseBlobName(reference);
  return {
    type: 'Image',
    ...(name === undefined ? {} : { mediaType: mediaTypeOf(name) }),
    url: addresses.media(reference),
    ...(description === '' ? {} : { summary: description, name: description }),
  };
}

export function emojiTag({ shortcode, url }: CustomEmoji, addresses: Addresses): JsonObject {
  return { type: 'Emoji', name: `:${shortcode}:`, icon: imageDocument(addresses, url) };
}
