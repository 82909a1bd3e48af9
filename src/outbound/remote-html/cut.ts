/** Cuts HTML to size, before and after sanitising. */
import { htmlLimits } from './limits.ts';

/** The beginning of an unsafe document that is read: bounded in characters and tags. */
export function cutRaw(html: string): string {
  const { rawCharactersMax, rawTagsMax } = htmlLimits;
  let tag = html.indexOf('<');
  for (let tags = 0; tag !== -1 && tag < rawCharactersMax; tags += 1) {
    if (tags === rawTagsMax) return html.slice(0, tag);
    tag = html.indexOf('<', tag + 1);
  }
  return html.length > rawCharactersMax ? html.slice(0, rawCharactersMax) : html;
}

/**
 * The beginning of sanitised HTML within the bounds of visible text and markup, cut between characters and never inside
 * a tag or an entity. Elements may be left open.
 */
export function cutMarkup(html: string): string {
  const { shownCharactersMax, markupCharactersMax } = htmlLimits;
  if (html.length <= shownCharactersMax) return html;
  let position = 0;
  for (let shown = 0; position < html.length && shown < shownCharactersMax; ) {
    const next = nextPosition(html, position);
    if (next === undefined || next > markupCharactersMax) break;
    if (html[position] !== '<') shown += 1;
    position = next;
  }
  return html.slice(0, position);
}

/** The position after the tag, entity or character at this one. */
function nextPosition(html: string, position: number): number | undefined {
  const code = html.codePointAt(position)!;
  if (code !== 0x3c && code !== 0x26) return position + (code > 0xffff ? 2 : 1);
  const last = html.indexOf(code === 0x3c ? '>' : ';', position);
  return last === -1 ? undefined : last + 1;
}
