/**
 * The thorough path for remote HTML: parsed, reduced to the allow-list for posts, and written again. Runs in the pool,
 * because it costs a large part of a millisecond.
 *
 * 1. The output contains only the elements, attributes, classes and schemes listed here.
 * 2. Every link opens in a new context and has nofollow; `rel="me"` is kept in profile fields only.
 * 3. Input, tags, nesting and output are bounded, so the worst case costs milliseconds, not seconds.
 */
import sanitizeHtml from 'sanitize-html';
import { withoutControls } from '../../actors/text/characters.ts';
import { linkSchemes } from '../../actors/text/links.ts';
import { cutMarkup, cutRaw } from './cut.ts';
import { htmlLimits } from './limits.ts';
import { mathToTex } from './math.ts';

const allowedTags = [
  ...['p', 'br', 'span', 'a', 'abbr', 'del', 's', 'pre', 'blockquote', 'code', 'b', 'strong', 'u', 'sub', 'sup', 'i'],
  ...['em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'ruby', 'rt', 'rp'],
];

const allowedAttributes = {
  '*': ['lang'],
  a: ['href', 'rel', 'class', 'title', 'translate', 'target'],
  abbr: ['title'],
  span: ['class', 'translate'],
  p: ['class'],
  blockquote: ['cite'],
  ol: ['start', 'reversed'],
  li: ['value'],
};

const classes = [/^(?:h|p|u|dt|e)-[\w-]+$/, 'mention', 'hashtag', 'ellipsis', 'invisible', 'quote-inline'];

/** Elements whose text is not for readers: removed together with it. */
const droppedWithText = [
  ...['script', 'style', 'textarea', 'option', 'xmp', 'noscript', 'iframe', 'noembed', 'noframes', 'plaintext'],
  ...['template', 'title', 'svg', 'object', 'audio', 'video', 'canvas'],
];

const controls = /\p{Cc}/gu;
const blanks = / /g;
const schemeOf = /^([a-z]+):/i;
const webAddress = /^https?:\/\/[^/\\\s?#]/i;
const integer = /^-?[0-9]{1,9}$/;
const languageTag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i;
const headingOpen = /<h[1-6](?: [^>]*)?>/g;
const headingClose = /<\/h[1-6]>/g;

type Attributes = Record<string, string>;

/** The sanitised form of any document or fragment of HTML. */
export function sanitizeRemoteHtml(html: string, profileField = false): string {
  const raw = mathToTex(withoutControls(cutRaw(html).toWellFormed()));
  const safe = sanitizeOnce(raw, profileField);
  const kept = cutMarkup(safe);
  return kept.length === safe.length ? safe : sanitizeOnce(kept, profileField);
}

function sanitizeOnce(html: string, profileField: boolean): string {
  const links = new LinkRewriter(profileField);
  const safe = sanitizeHtml(html, {
    allowedTags,
    allowedAttributes,
    allowedClasses: { a: classes, span: classes, p: classes },
    allowedSchemes: [...linkSchemes],
    allowedSchemesAppliedToAttributes: ['href', 'cite'],
    allowProtocolRelative: false,
    nonTextTags: droppedWithText,
    nestingLimit: htmlLimits.nestingMax,
    parseStyleAttributes: false,
    onOpenTag: (name) => links.opened(name),
    onCloseTag: (name) => links.closed(name),
    transformTags: {
      a: (_name, attributes) => links.anchor(attributes),
      img: (_name, attributes) => links.image(attributes),
      '*': checkedAttributes,
    },
  });
  return withoutControls(safe).replace(headingOpen, '<p><strong>').replace(headingClose, '</strong></p>');
}

/** Rewrites links and images depending on whether a link is already open: links are not nested. */
class LinkRewriter {
  private readonly profileField: boolean;
  private openAnchors = 0;

  constructor(profileField: boolean) {
    this.profileField = profileField;
  }

  opened(name: string): void {
    if (name === 'a') this.openAnchors += 1;
  }

  closed(name: string): void {
    if (name === 'a') this.openAnchors -= 1;
  }

  /** A link without an allowed target becomes a span around its text. */
  anchor(attributes: Attributes): sanitizeHtml.Tag {
    const href = safeHref(attributes.href);
    if (href === undefined || this.openAnchors > 1) return { tagName: 'span', attribs: {} };
    const kept: Attributes = { href };
    if (attributes.class !== undefined) kept.class = attributes.class;
    if (attributes.title !== undefined) kept.title = attributes.title;
    if (attributes.translate !== undefined) kept.translate = attributes.translate;
    if (attributes.lang !== undefined) kept.lang = attributes.lang;
    return { tagName: 'a', attribs: { ...kept, rel: this.rel(attributes.rel), target: '_blank' } };
  }

  /** An image becomes a link to it with its description as text; inside a link only the description is kept. */
  image(attributes: Attributes): sanitizeHtml.Tag {
    const href = safeHref(attributes.src);
    const description = (attributes.alt ?? '').slice(0, htmlLimits.imageDescriptionCharactersMax).toWellFormed();
    if (href === undefined || this.openAnchors > 0) return { tagName: 'span', attribs: {}, text: description };
    const attribs = { href, rel: this.rel(undefined), target: '_blank' };
    return { tagName: 'a', attribs, text: description === '' ? href : description };
  }

  private rel(value: string | undefined): string {
    const given = (value ?? '').toLowerCase().split(/\s+/);
    const tag = given.includes('tag') ? 'tag ' : '';
    const me = this.profileField && given.includes('me') ? ' me' : '';
    return `${tag}nofollow noopener noreferrer${me}`;
  }
}

/** An absolute URL with an allowed scheme, without the characters that browsers ignore in one. */
function safeHref(value: string | undefined): string | undefined {
  if (value === undefined || value.length > htmlLimits.linkCharactersMax) return undefined;
  const href = value.replace(controls, '').trim().replace(blanks, '%20');
  const scheme = schemeOf.exec(href)?.[1]?.toLowerCase();
  if (scheme === undefined || !linkSchemes.has(scheme)) return undefined;
  const isWeb = scheme === 'http' || scheme === 'https';
  return isWeb && !webAddress.test(href) ? undefined : href;
}

/** Drops values of attributes that are allowed by name only. */
function checkedAttributes(tagName: string, attributes: Attributes): sanitizeHtml.Tag {
  if (attributes.lang !== undefined && !languageTag.test(attributes.lang)) delete attributes.lang;
  if (attributes.translate !== undefined && attributes.translate !== 'no') delete attributes.translate;
  if (attributes.start !== undefined && !integer.test(attributes.start)) delete attributes.start;
  if (attributes.value !== undefined && !integer.test(attributes.value)) delete attributes.value;
  if (attributes.reversed !== undefined) attributes.reversed = '';
  if (attributes.cite !== undefined && !webAddress.test(attributes.cite)) delete attributes.cite;
  return { tagName, attribs: attributes };
}
