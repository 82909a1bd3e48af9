/** Players in the HTML that other sites give for embedding: what is kept can play, and nothing else. */
import sanitizeHtml from 'sanitize-html';
import { escapeHtml } from '../../actors/text/escape.ts';
import { cardLimits } from './limits.ts';

/** Scripts of the player run at its own origin; it cannot navigate the page around it. */
const sandbox = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms';

/** Sanitised; undefined where no player remains, or it is too long. */
export function sanitizePlayer(html: string): string | undefined {
  if (html.length > 2 * cardLimits.playerCharactersMax) return undefined;
  const safe = sanitizeHtml(html, {
    allowedTags: ['audio', 'iframe', 'source', 'video'],
    allowedAttributes: {
      audio: ['controls'],
      iframe: ['allowfullscreen', 'frameborder', 'height', 'scrolling', 'src', 'width', 'sandbox'],
      source: ['src', 'type'],
      video: ['controls', 'height', 'loop', 'width'],
    },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    textFilter: () => '',
    transformTags: { iframe: (tagName, attribs) => ({ tagName, attribs: { ...attribs, sandbox } }) },
    exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && attribs.src === undefined,
  });
  return safe === '' || safe.length > cardLimits.playerCharactersMax ? undefined : safe;
}

/** `src` is an absolute web address. */
export function frameOf(src: string, width: number, height: number): string {
  return (
    `<iframe src="${escapeHtml(src)}" width="${width}" height="${height}" allowfullscreen frameborder="0" ` +
    `scrolling="no" sandbox="${sandbox}"></iframe>`
  );
}
