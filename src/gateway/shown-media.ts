/** The addresses at which readers see what is attached to a status. Those of other servers are shown through this one. */
import type { Attachment } from '../actors/account/media/media.records.ts';
import type { Addresses } from '../services/addresses.ts';

/** A file that no browser shows or plays is a link to its server (behaviour of the Mastodon API). */
export function shownFile({ type, url }: Attachment, addresses: Addresses): string {
  if (type === 'unknown') return addresses.media(url);
  return addresses.shownMedia(url, type === 'image' ? 'picture' : 'film');
}

/** A film without a picture of its own has none: to make one, all of it would have to be fetched. */
export function shownPreview(
  { type, url, previewUrl, remoteUrl }: Attachment,
  addresses: Addresses,
): string | undefined {
  if (type === 'unknown') return undefined;
  if (previewUrl !== undefined) return addresses.shownMedia(previewUrl, 'cover');
  if (type === 'image') return addresses.shownMedia(url, 'preview');
  return remoteUrl === undefined ? addresses.media(url) : undefined;
}
