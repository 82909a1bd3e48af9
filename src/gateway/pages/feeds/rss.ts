/** Posts for feed readers (RSS 2.0, with the Media RSS and Dublin Core modules), as anonymous visitors see them. */

import { cardOf } from '../../../actors/account/cards/cards.queries.ts';
import { bytesOfMedia } from '../../../actors/account/media/media.queries.ts';
import type { Attachment } from '../../../actors/account/media/media.records.ts';
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Addresses } from '../../../services/addresses.ts';
import type { MediaOwner } from '../../../services/media/media-owner.ts';
import { software } from '../../../services/software.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { Answer, type AnswerHeaders } from '../../http/answers.ts';
import { etagOf, namesEtag } from '../../http/etags.ts';
import type { IncomingRequest } from '../../http/request.ts';
import { shownAttachment } from '../../shown-media.ts';
import { webLimits } from '../limits.ts';
import { elsewhere, handleOf } from '../parts/links.ts';
import { strong } from '../parts/slots.ts';
import { storedHtml } from '../parts/stored.ts';
import type { Visit } from '../visit.ts';

const feedSuffix = '.rss';
const feedType = 'application/rss+xml';

export interface Feed {
  /** Plain text. */
  readonly title: string;
  readonly description: string;
  /** The page with the same posts; the feed is at this address with the suffix. */
  readonly page: string;
  /** The address of a picture. */
  readonly picture?: string;
  /** Newest first. */
  readonly views: readonly PresentedStatus[];
  /** Whether search engines may show it. */
  readonly isIndexed: boolean;
}

/** The path parameter without the suffix; undefined where no feed is asked for. */
export function feedIn(parameter: string | undefined): string | undefined {
  return parameter?.endsWith(feedSuffix) ? parameter.slice(0, -feedSuffix.length) : undefined;
}

/** In the head of the page with the same posts: readers find the feed by it. */
export function feedLink(title: string, page: string): Html {
  return html`<link rel="alternate" type="${feedType}" title="${title}" href="${page}${feedSuffix}">`;
}

/** Characters that XML 1.0 does not allow, not even escaped (section 2.2). */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** `visit` is that of an anonymous visitor. */
export function feedAnswer(request: Pick<IncomingRequest, 'header'>, visit: Visit, feed: Feed): Answer {
  const body = Buffer.from(documentOf(visit, feed).markup.replace(forbidden, ''));
  const etag = etagOf(body);
  const headers: AnswerHeaders = {
    ...feedHeaders,
    ETag: etag,
    ...(feed.isIndexed ? {} : { 'X-Robots-Tag': 'noindex' }),
  };
  if (namesEtag(request.header('if-none-match'), etag)) return new Answer(304, undefined, '', headers, undefined);
  return new Answer(200, `${feedType}; charset=utf-8`, body, headers, undefined);
}

/** The same for everybody, whatever `Accept` and cookies say. */
const feedHeaders: AnswerHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': `public, max-age=${webLimits.feedAgeSeconds}`,
};

function documentOf(visit: Visit, { title, description, page, picture, views }: Feed): Html {
  const image =
    picture !== undefined && html`<image><url>${picture}</url><title>${title}</title><link>${page}</link></image>`;
  const newest = views[0] && html`<lastBuildDate>${timeOf(views[0].status)}</lastBuildDate>`;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${title}</title>
<description>${description}</description>
<link>${page}</link>
<atom:link rel="self" type="${feedType}" href="${page}${feedSuffix}"/>
${image}${newest}
<generator>${software.name} ${software.version}</generator>
${views.map((view) => itemOf(visit, view))}</channel>
</rss>
`;
}

/** Without a title, as posts have none. */
function itemOf(visit: Visit, { status, author }: PresentedStatus): Html {
  const { addresses } = visit.services;
  const { profile } = author;
  const isLocal = profile.remote === undefined;
  const address = isLocal ? addresses.statusPage(profile.username, status.id) : elsewhere(status.url ?? status.uri);
  return html`<item>
<guid isPermaLink="${String(address !== undefined)}">${address ?? status.uri}</guid>
${address !== undefined && html`<link>${address}</link>`}
<pubDate>${timeOf(status)}</pubDate>
<dc:creator>@${isLocal ? `${profile.username}@${addresses.domain}` : handleOf(profile)}</dc:creator>
<description>${contentOf(visit, status, isLocal).markup}</description>
${enclosureOf(visit, status, profile)}${status.attachments.map((attachment) => mediaOf(visit, attachment, status, profile))}
${status.tags.map(({ display }) => html`<category>${display}</category>`)}
</item>
`;
}

/** RFC 822, as RSS requires. */
function timeOf({ createdAt }: Status): string {
  return new Date(createdAt).toUTCString();
}

/** HTML with whole addresses, because readers show it elsewhere; the template of the item escapes it. */
function contentOf(visit: Visit, status: Status, isLocal: boolean): Html {
  const { spoilerText, content, poll } = status;
  const { services, words } = visit;
  const warning = spoilerText !== '' && html`<p>${words.posts.contentWarning({ strong, text: spoilerText })}</p><hr>`;
  const options = poll && html`<ul>${poll.options.map((option) => html`<li>${option}</li>`)}</ul>`;
  return html`${warning}${storedHtml(visit, isLocal ? services.addresses.absoluteLinks(content) : content)}${options}${previewOf(status)}`;
}

/** The page that it links to. */
function previewOf(status: Status): Html | undefined {
  const card = cardOf(status);
  const address = elsewhere(status.link);
  if (card === undefined || address === undefined) return undefined;
  return html`<p><a href="${address}">${card.title}</a>${card.description !== '' && html`<br>${card.description}`}</p>`;
}

const mediums: Readonly<Record<Attachment['type'], string | undefined>> = {
  image: 'image',
  gifv: 'image',
  video: 'video',
  audio: 'audio',
  unknown: undefined,
};

/** Readers load what they are told of: a file whose server staff want to show no media of is left out. */
function addressOf(attachment: Attachment, addresses: Addresses, author: MediaOwner): string | undefined {
  const { type, file } = shownAttachment(attachment, addresses, author);
  return type === attachment.type ? elsewhere(file) : undefined;
}

/** Of the first file whose size is known, because RSS 2.0 demands it and has one of them: players of podcasts go by it. */
function enclosureOf(
  { services: { addresses, snapshots } }: Visit,
  status: Status,
  author: MediaOwner,
): Html | undefined {
  for (const attachment of status.attachments) {
    const url = addressOf(attachment, addresses, author);
    const bytes = bytesOfMedia(snapshots, status.accountId, attachment);
    const { mediaType } = attachment;
    if (url === undefined || bytes === undefined || mediaType === undefined) continue;
    return html`<enclosure url="${url}" length="${String(bytes)}" type="${mediaType}"/>
`;
  }
  return undefined;
}

function mediaOf(
  visit: Visit,
  attachment: Attachment,
  { accountId, sensitive }: Status,
  author: MediaOwner,
): Html | undefined {
  const { addresses, snapshots } = visit.services;
  const { type, mediaType, description } = attachment;
  const url = addressOf(attachment, addresses, author);
  if (url === undefined) return undefined;
  const medium = mediums[type];
  const bytes = bytesOfMedia(snapshots, accountId, attachment);
  const size = bytes !== undefined && html` fileSize="${String(bytes)}"`;
  return html`<media:content url="${url}"${mediaType !== undefined && html` type="${mediaType}"`}${size}${medium !== undefined && html` medium="${medium}"`}>
<media:rating scheme="urn:simple">${sensitive ? 'adult' : 'nonadult'}</media:rating>
${description !== undefined && html`<media:description type="plain">${description}</media:description>`}
</media:content>
`;
}
