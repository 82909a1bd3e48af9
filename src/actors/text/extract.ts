/**
 * Finds links, mentions and hashtags in local plain text, the way Mastodon does.
 *
 * 1. Tokens are ordered and do not overlap.
 * 2. No mention or hashtag is found inside a link, and no mention inside an e-mail address.
 * 3. The work is linear in the length of the text: runs of characters are scanned by expressions that cannot backtrack,
 *    and a rejected candidate is either skipped whole or cannot contain another one.
 */
import { hashtagAt } from './hashtags.ts';
import { linkAt } from './links.ts';
import { mentionAt } from './mentions.ts';
import type { Skip, TextToken } from './tokens.ts';

const atSign = 0x40;
const numberSign = 0x23;
const fullwidthNumberSign = 0xff03;
const colon = 0x3a;

/**
 * The tokens of a text, in order. Searches the text as given: `renderStatusText` searches the result of `cleanText`.
 */
export function extractTokens(text: string): TextToken[] {
  const tokens: TextToken[] = [];
  let lastEnd = 0;
  let index = 0;
  while (index < text.length) {
    const found = tokenAt(text, index, lastEnd);
    if (found === undefined) {
      index += 1;
    } else {
      if (found.kind !== 'skip') tokens.push(found);
      index = found.end;
      lastEnd = found.end;
    }
  }
  return tokens;
}

/** A link is found at the colon of its scheme, which must not reach back into the token before it. */
function tokenAt(text: string, index: number, lastEnd: number): TextToken | Skip | undefined {
  switch (text.charCodeAt(index)) {
    case atSign:
      return mentionAt(text, index);
    case numberSign:
    case fullwidthNumberSign:
      return hashtagAt(text, index);
    case colon:
      return linkAt(text, index, lastEnd);
    default:
      return undefined;
  }
}
