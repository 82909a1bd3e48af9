/** The events of an HTML parser, for comparing markup by meaning instead of spelling. */
import sanitizeHtml from 'sanitize-html';

export type MarkupEvent =
  | { open: string; attributes: Record<string, string> }
  | { close: string; isImplied: boolean }
  | { text: string };

const voidElements = new Set(['br', 'img', 'hr', 'wbr', 'input', 'link', 'meta', 'embed']);

export function markupEvents(html: string): MarkupEvent[] {
  const events: MarkupEvent[] = [];
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    onOpenTag: (open, attributes) => events.push({ open, attributes: { ...attributes } }),
    onCloseTag: (close, isImplied) => events.push({ close, isImplied: isImplied && !voidElements.has(close) }),
    textFilter: (escaped) => {
      const last = events[events.length - 1];
      const text = decoded(escaped);
      if (last !== undefined && 'text' in last) last.text += text;
      else events.push({ text });
      return escaped;
    },
  });
  return events;
}

/** Without what the sanitiser adds to or takes from every document: forced link attributes, classes that are empty. */
export function essentials(events: readonly MarkupEvent[]): MarkupEvent[] {
  return events.map((event) => {
    if (!('open' in event)) return event;
    const { rel, target, ...attributes } = event.attributes;
    if (attributes.class === '') delete attributes.class;
    const kept = rel?.split(' ').filter((token) => token === 'tag' || token === 'me') ?? [];
    return { open: event.open, attributes: { ...attributes, rel: kept.sort().join(' ') } };
  });
}

function decoded(escaped: string): string {
  return escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
