/** The addresses at which readers see what is attached to a status. Those of other servers are shown through this one. */
import type { Card } from '../actors/account/cards/cards.records.ts';
import type { Attachment } from '../actors/account/media/media.records.ts';
import { hostOfPage } from '../actors/policy/page-host.ts';
import type { Addresses } from '../services/addresses.ts';
import type { MediaOwner } from '../services/media/media-owner.ts';

export interface ShownAttachment {
  readonly type: Attachment['type'];
  readonly file: string;
  readonly preview: string | undefined;
}

/**
 * A file that no browser shows or plays is a link to its server, and so is one whose server staff want to show no media of
 * (behaviour of the Mastodon API).
 */
export function shownAttachment(attachment: Attachment, addresses: Addresses, author: MediaOwner): ShownAttachment {
  const { type, url } = attachment;
  const kind = type === 'image' ? 'picture' : 'film';
  const file = type === 'unknown' ? undefined : addresses.shownMedia(url, kind, author);
  if (file === undefined) return { type: 'unknown', file: addresses.media(url), preview: undefined };
  return { type, file, preview: shownPreview(attachment, addresses, author) };
}

/** A film without a picture of its own has none: to make one, all of it would have to be fetched. */
export function shownPreview(
  { type, url, previewUrl, remoteUrl }: Attachment,
  addresses: Addresses,
  author: MediaOwner,
): string | undefined {
  if (type === 'unknown') return undefined;
  if (previewUrl !== undefined) return addresses.shownMedia(previewUrl, 'cover', author);
  if (type === 'image') return addresses.shownMedia(url, 'preview', author);
  return remoteUrl === undefined ? addresses.media(url) : undefined;
}

/** `author`: of the status with the link. The site itself may be one of which no media are shown. */
export function shownCardPicture({ image, url }: Card, addresses: Addresses, author: MediaOwner): string | undefined {
  if (image === undefined || addresses.rejectsMediaOf({ domain: hostOfPage(url) })) return undefined;
  return addresses.shownMedia(image, 'card', author);
}
