/**
 * Renders local plain text as HTML, in the markup that Mastodon's clients expect: posts and profile notes in
 * paragraphs, profile fields on one line with `rel="me"` on links.
 *
 * 1. Whatever the input, each `<` of the output begins a tag written in this file, and the output is well-formed.
 * 2. Links to this server are paths: `Addresses.absoluteLinks` completes them where the HTML is shown.
 * 3. The recogniser of remote HTML then accepts it, so it passes between servers unchanged.
 */
import { cleanText } from './characters.ts';
import { escapeHtml } from './escape.ts';
import { extractTokens } from './extract.ts';
import { tagPath } from './hashtags.ts';
import type { HashtagToken, MentionToken, TextToken } from './tokens.ts';

export interface MentionedAccount {
  /** The profile page (http or https, or a path of this server): what clients find in `mentions[].url`. */
  url: string;
  username: string;
  /** `user` for local accounts, `user@host` for remote ones. */
  acct: string;
}

export interface RenderContext {
  /** The resolved accounts by the handle of the mention token; a mention without one stays text. */
  mentions: ReadonlyMap<string, MentionedAccount>;
}

export interface RenderedTag {
  name: string;
  display: string;
}

export interface RenderedText {
  html: string;
  /** Each tag once, in order, with its first spelling. */
  tags: RenderedTag[];
  /** Each resolved handle once, in order. */
  handles: string[];
  /** Each http or https link once, in order: the first one gets the preview card. */
  links: string[];
}

const shownLinkCharacters = 30;
const hiddenPrefix = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i;
const paragraphBreak = /\n{2,}/;
const lineBreaks = /\n/g;
const blankRun = /\s+/g;
const linkRel = 'nofollow noopener noreferrer';

/**
 * Renders a post or a profile note. An empty text gives an empty string. `tokens` are those of the text where the
 * caller has extracted them; the text must then be clean.
 */
export function renderStatusText(text: string, context: RenderContext, tokens?: readonly TextToken[]): RenderedText {
  const clean = tokens === undefined ? cleanText(text) : text;
  const rendered = renderInline(clean, tokens ?? extractTokens(clean), context, linkRel);
  rendered.html = inParagraphs(rendered.html);
  return rendered;
}

/** The value of a profile field: one line, no paragraph. */
export function renderProfileField(text: string, context: RenderContext): RenderedText {
  const line = cleanText(text).replace(blankRun, ' ');
  return renderInline(line, extractTokens(line), context, `${linkRel} me`);
}

/** The link of a bare URL: scheme and overlong parts are hidden by classes, without adding characters. */
export function renderLink(url: string, rel: string = linkRel): string {
  const shownStart = hiddenPrefix.exec(url)?.[0].length ?? 0;
  const shownEnd = endOfCharacters(url, shownStart, shownLinkCharacters);
  const prefix = escapeHtml(url.slice(0, shownStart));
  const shown = escapeHtml(url.slice(shownStart, shownEnd));
  const rest = escapeHtml(url.slice(shownEnd));
  const shownClass = shownEnd < url.length ? 'ellipsis' : '';
  return (
    `<a href="${prefix}${shown}${rest}" target="_blank" rel="${rel}" translate="no">` +
    `<span class="invisible">${prefix}</span><span class="${shownClass}">${shown}</span>` +
    `<span class="invisible">${rest}</span></a>`
  );
}

function renderInline(text: string, tokens: readonly TextToken[], context: RenderContext, rel: string): RenderedText {
  if (tokens.length === 0) return { html: escapeHtml(text), tags: [], handles: [], links: [] };
  const line = new LineRenderer(context, rel, sharedUsernames(tokens, context));
  let html = '';
  let position = 0;
  for (const token of tokens) {
    html += escapeHtml(text.slice(position, token.start)) + line.render(token, text);
    position = token.end;
  }
  return line.finish(html + escapeHtml(text.slice(position)));
}

/** Renders tokens and collects tags, handles and links. */
class LineRenderer {
  private readonly context: RenderContext;
  private readonly rel: string;
  private readonly namesakes: ReadonlySet<string>;
  private readonly tags = new Map<string, string>();
  private readonly handles = new Set<string>();
  private readonly links = new Set<string>();

  constructor(context: RenderContext, rel: string, namesakes: ReadonlySet<string>) {
    this.context = context;
    this.rel = rel;
    this.namesakes = namesakes;
  }

  render(token: TextToken, text: string): string {
    if (token.kind === 'hashtag') return this.hashtag(token);
    if (token.kind === 'mention') return this.mention(token) ?? escapeHtml(text.slice(token.start, token.end));
    if (token.isWeb) this.links.add(token.url);
    return renderLink(token.url, this.rel);
  }

  finish(html: string): RenderedText {
    const tags = Array.from(this.tags, ([name, display]) => ({ name, display }));
    return { html, tags, handles: [...this.handles], links: [...this.links] };
  }

  private hashtag(token: HashtagToken): string {
    if (!this.tags.has(token.name)) this.tags.set(token.name, token.display);
    const url = escapeHtml(tagPath(token.name));
    return `<a href="${url}" class="mention hashtag" rel="tag">#<span>${escapeHtml(token.display)}</span></a>`;
  }

  private mention(token: MentionToken): string | undefined {
    const account = this.context.mentions.get(token.handle);
    if (account === undefined) return undefined;
    this.handles.add(token.handle);
    const shown = this.namesakes.has(account.username.toLowerCase()) ? account.acct : account.username;
    return (
      `<span class="h-card" translate="no"><a href="${escapeHtml(account.url)}" class="u-url mention">` +
      `@<span>${escapeHtml(shown)}</span></a></span>`
    );
  }
}

/** User names shared by several mentioned accounts: these are shown with their host, as Mastodon does. */
function sharedUsernames(tokens: readonly TextToken[], context: RenderContext): ReadonlySet<string> {
  const shared = new Set<string>();
  const acctOf = new Map<string, string>();
  for (const token of tokens) {
    const account = token.kind === 'mention' ? context.mentions.get(token.handle) : undefined;
    if (account === undefined) continue;
    const username = account.username.toLowerCase();
    const acct = acctOf.get(username);
    if (acct === undefined) acctOf.set(username, account.acct);
    else if (acct !== account.acct) shared.add(username);
  }
  return shared;
}

/** Rendered tokens contain no line breaks, so breaks can be found in the finished HTML. */
function inParagraphs(html: string): string {
  if (html === '') return '';
  if (!html.includes('\n')) return `<p>${html}</p>`;
  return html
    .split(paragraphBreak)
    .map((paragraph) => `<p>${paragraph.replace(lineBreaks, '<br />')}</p>`)
    .join('');
}

/** The index after at most `count` characters from `start`; a surrogate pair is one. */
function endOfCharacters(text: string, start: number, count: number): number {
  let end = start;
  for (let seen = 0; seen < count && end < text.length; seen += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return end;
}
