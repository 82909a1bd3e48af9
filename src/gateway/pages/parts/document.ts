/** The HTML document around every page, and its security headers. */

import type { Services } from '../../../services/services.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Words } from '../../../services/words/languages.ts';
import { type Answer, type AnswerHeaders, bytes, htmlContentType } from '../../http/answers.ts';
import { iconAddress, styleAddress } from '../assets.ts';

export interface DocumentContent {
  readonly language: Words['language'];
  /** Plain text. */
  readonly title: string;
  readonly head?: Html | undefined;
  readonly body: Html;
}

export function documentOf({ language, title, head, body }: DocumentContent): string {
  return html`<!doctype html>
<html lang="${language.code}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${styleAddress}">
<link rel="icon" href="${iconAddress}" type="image/svg+xml">
${head}
</head>
${body}
</html>
`.markup;
}

/**
 * For pages with the frame of the site: only listed sources may run or load, and no page may frame them. Pictures of posts and
 * accounts come from here, also those of other servers, so that those learn nothing about readers. No page has a style
 * attribute, an inline script or an event handler.
 */
export function siteHeaders(services: MediaSourceServices): AnswerHeaders {
  const media = mediaPolicy(services);
  return pageHeaders(
    `script-src 'self'; style-src 'self'; ${media}; connect-src 'self'; manifest-src 'self'; form-action 'self'`,
  );
}

/** For parts of a page, which a script puts into one. */
export const fragmentHeaders = pageHeaders("form-action 'self'");

/**
 * For the pages of signing in and authorizing: no script, and nothing from elsewhere. `form-action` stays open, because
 * browsers apply it to the redirect after a form, and an application's address may have any scheme; there is no
 * Cross-Origin-Opener-Policy, because clients open the sign-in as a pop-up and wait for it.
 */
export const narrowHeaders = pageHeaders("style-src 'self'; img-src 'self'");

/** For those that sign in with passkeys, which only a script can ask for. */
export const passkeyHeaders = pageHeaders("script-src 'self'; style-src 'self'; img-src 'self'");

/** For a post framed by a page of another site: only pictures and styles, and any page may frame it. */
export function embedHeaders(services: MediaSourceServices): AnswerHeaders {
  const media = mediaPolicy(services);
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; ${media}; base-uri 'self'; frame-ancestors *`,
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cache-Control': 'no-cache',
  };
}

type MediaSourceServices = Pick<Services, 'addresses' | 'blobs'>;

/** Placeholders are `data:`. A browser that is redirected to a bucket asks for both addresses (CSP 3, section 4.1.3). */
function mediaPolicy({ addresses, blobs }: MediaSourceServices): string {
  const others = new Set([addresses.mediaOrigin, blobs.readersOrigin]);
  others.delete(addresses.origin);
  others.delete(undefined);
  const sources = ["'self'", ...others].join(' ');
  return `img-src ${sources} data:; media-src ${sources}`;
}

function pageHeaders(policy: string): AnswerHeaders {
  return {
    'Content-Security-Policy': `default-src 'none'; ${policy}; base-uri 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

export function htmlAnswer(document: string, status: number, headers: AnswerHeaders): Answer {
  return bytes(document, { contentType: htmlContentType, status, headers });
}
