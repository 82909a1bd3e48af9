/** Metadata of a page for other programs: its link preview, and the address of the same object for servers. */

import { shorten } from '../../../actors/text/shorten.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { AnswerHeaders } from '../../http/answers.ts';
import { webLimits } from '../limits.ts';
import type { Visit } from '../visit.ts';

export interface Preview {
  readonly type: 'website' | 'profile' | 'article';
  /** Plain text. */
  readonly title: string;
  readonly description: string;
  /** Absolute, or a path of this server. */
  readonly image: string;
  readonly imageDescription?: string | undefined;
  /** The canonical address of the page. */
  readonly address: string;
  /** The ActivityPub id of the object shown. */
  readonly activityId?: string;
  /** Further Open Graph properties, by name. */
  readonly more?: Readonly<Record<string, string>>;
}

export function previewTags({ services, settings }: Visit, preview: Preview): Html {
  const { type, title, image, imageDescription = '', address, activityId, more = {} } = preview;
  const description = shorten(preview.description, webLimits.descriptionCharactersMax);
  const properties = {
    'og:site_name': settings.title,
    'og:type': type,
    'og:title': shorten(title, webLimits.titleCharactersMax),
    'og:description': description,
    'og:url': address,
    'og:image': image.startsWith('/') ? services.addresses.origin + image : image,
    'og:image:alt': imageDescription,
    ...more,
  };
  return html`<link rel="canonical" href="${address}">
${description !== '' && html`<meta name="description" content="${description}">`}
${Object.entries(properties).map(([name, content]) => content !== '' && html`<meta property="${name}" content="${content}">\n`)}
<meta name="twitter:card" content="summary">
${activityId !== undefined && html`<link rel="alternate" type="application/activity+json" href="${activityId}">`}`;
}

/** The page and the activity at one address differ by `Accept`, and by who is signed in. */
export function alternateHeaders(activityId: string): AnswerHeaders {
  return {
    Link: `<${encodeURI(activityId.toWellFormed()).replaceAll('%25', '%')}>; rel="alternate"; type="application/activity+json"`,
    Vary: 'Accept, Accept-Language, Cookie',
  };
}
