/** Pictures, videos and sounds of a post. */
import type { Attachment } from '../../../actors/account/media/media.records.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { elsewhere } from './links.ts';

export function mediaOf(visit: Visit, attachments: readonly Attachment[]): Html | undefined {
  const shown = attachments.flatMap((one) => mediaItem(visit, one) ?? []);
  return shown.length === 0 ? undefined : html`<div class="media${shown.length > 1 && ' several'}">${shown}</div>`;
}

function mediaItem({ words, services: { addresses } }: Visit, attachment: Attachment): Html | undefined {
  const address = elsewhere(addresses.media(attachment.url));
  if (address === undefined) return undefined;
  const { description = '' } = attachment;
  const preview = elsewhere(attachment.previewUrl && addresses.media(attachment.previewUrl));
  switch (attachment.type) {
    case 'image':
      return html`<a href="${address}" target="_blank" rel="noopener noreferrer"><img src="${preview ?? address}" alt="${description}" loading="lazy"></a>`;
    case 'gifv':
    case 'video':
      return html`<video src="${address}" controls preload="none" aria-label="${description}"${
        preview !== undefined && preview !== address && html` poster="${preview}"`
      }></video>`;
    case 'audio':
      return html`<audio src="${address}" controls preload="none" aria-label="${description}"></audio>`;
    default:
      return html`<a class="file" href="${address}" target="_blank" rel="noopener noreferrer">${description === '' ? words.posts.attachedFile : description}</a>`;
  }
}
