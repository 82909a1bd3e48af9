/**
 * Pictures, videos and sounds of a post. Their places have their size before they are loaded, and show the blurhash
 * meanwhile. Everything works without a script, which adds the large view (assets/gallery.js).
 */
import type { Attachment } from '../../../actors/account/media/media.records.ts';
import type { MediaOwner } from '../../../services/media/media-owner.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { shownAttachment } from '../../shown-media.ts';
import type { Visit } from '../visit.ts';
import { blurredPicture } from './blurred-picture.ts';
import { playsGifs } from './covered.ts';
import { focusClasses } from './focus.ts';
import { elsewhere } from './links.ts';

/** More than four of another server stand in further rows. */
const columnsMax = 4;

export function mediaOf(visit: Visit, attachments: readonly Attachment[], author: MediaOwner): Html | undefined {
  const shown = attachments.flatMap((one) => mediaItem(visit, one, author, attachments.length > 1) ?? []);
  if (shown.length === 0) return undefined;
  const count = Math.min(shown.length, columnsMax);
  return html`<div class="media${shown.length > 1 && html` several count-${count}`}">${shown}</div>`;
}

interface Shown {
  readonly address: string;
  readonly preview: string | undefined;
  readonly description: string;
}

function mediaItem(
  visit: Visit,
  attachment: Attachment,
  author: MediaOwner,
  isOneOfSeveral: boolean,
): Html | undefined {
  const { words, services } = visit;
  const { description = '' } = attachment;
  const { type, file, preview: cover } = shownAttachment(attachment, services.addresses, author);
  const [address, preview] = [elsewhere(file), elsewhere(cover)];
  if (address === undefined) return undefined;
  const shown = { address, preview, description };
  if (type === 'unknown')
    return html`<a class="file" href="${address}" target="_blank" rel="noopener noreferrer">${description === '' ? words.posts.attachedFile : description}</a>`;
  const inside =
    type === 'image'
      ? picture(visit, attachment, shown)
      : type === 'audio'
        ? sound(attachment, shown)
        : film(visit, attachment, shown);
  const shape = isOneOfSeveral ? '' : shapeOf(attachment);
  return html`<figure class="${type}${shape}">${inside}${descriptionOf(visit, shown)}</figure>`;
}

function picture({ words }: Visit, attachment: Attachment, { address, preview = address, description }: Shown): Html {
  const { previewWidth: width = attachment.width, previewHeight: height = attachment.height } = attachment;
  const name = description === '' && html` aria-label="${words.posts.media.undescribed}"`;
  return html`<a href="${address}" target="_blank" rel="noopener noreferrer"${name}>${placeholder(attachment)}<img class="${focusClasses(attachment)}" src="${preview}" alt="${description}"${sizeOf(width, height)} loading="lazy" decoding="async"></a>`;
}

/** The script starts what replaces a GIF, without a sound, unless the reader wants less motion or to start it. */
function film(visit: Visit, attachment: Attachment, { address, preview, description }: Shown): Html {
  const { type, width, height } = attachment;
  const loops = type === 'gifv' && html` loop muted${playsGifs(visit) && html` data-plays`}`;
  return html`${placeholder(attachment)}<video src="${address}" controls playsinline preload="none" aria-label="${description}"${sizeOf(width, height)}${loops}${
    preview !== undefined && preview !== address && html` poster="${preview}"`
  }></video>`;
}

function sound({ previewWidth, previewHeight }: Attachment, { address, preview, description }: Shown): Html {
  return html`${
    preview !== undefined &&
    preview !== address &&
    html`<img src="${preview}" alt=""${sizeOf(previewWidth, previewHeight)} loading="lazy" decoding="async">`
  }<audio src="${address}" controls preload="none" aria-label="${description}"></audio>`;
}

function placeholder({ blurhash }: Attachment): Html | undefined {
  const blurred = blurhash === undefined ? undefined : blurredPicture(blurhash);
  return blurred === undefined ? undefined : html`<img class="blurred" src="${blurred}" alt="" aria-hidden="true">`;
}

/** Everybody may read it, not only those who hear it. */
function descriptionOf({ words }: Visit, { description }: Shown): Html | undefined {
  if (description === '') return undefined;
  const { alt, description: title } = words.posts.media;
  return html`<details class="alt"><summary title="${title}">${alt}</summary><p dir="auto">${description}</p></details>`;
}

function sizeOf(width: number | undefined, height: number | undefined): Html | undefined {
  return width === undefined || height === undefined ? undefined : html` width="${width}" height="${height}"`;
}

/** Tall ones are cropped in lists. */
function shapeOf({ width = 1, height = 1 }: Attachment): string {
  return height > width * 1.25 ? ' tall' : '';
}
