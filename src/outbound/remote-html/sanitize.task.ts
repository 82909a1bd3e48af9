/** The task of the pool: remote documents in, sanitised ones out, in the same order. */
import { cleanText } from '../../actors/text/characters.ts';
import { escapeHtml } from '../../actors/text/escape.ts';
import { toPlainText } from '../../actors/text/plain.ts';
import { cutRaw } from './cut.ts';
import { htmlLimits } from './limits.ts';
import { sanitizeRemoteHtml } from './sanitize.ts';

export interface RemoteHtmlDocument {
  html: string;
  /** The value of a profile field: its links may have `rel="me"`. */
  profileField: boolean;
}

/** Never throws: a document that breaks the sanitiser becomes plain text, so that it does not affect the others. */
export function sanitizeRemoteHtmlBatch(documents: readonly RemoteHtmlDocument[]): string[] {
  return documents.map(sanitizeDocument);
}

function sanitizeDocument(document: RemoteHtmlDocument): string {
  try {
    return sanitizeRemoteHtml(document.html, document.profileField);
  } catch {
    return bareText(document.html);
  }
}

function bareText(html: string): string {
  const text = cleanText(toPlainText(cutRaw(html)).slice(0, htmlLimits.shownCharactersMax));
  return text === '' ? '' : `<p>${escapeHtml(text)}</p>`;
}
