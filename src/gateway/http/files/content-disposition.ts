/** The header with the name under which a client may save a file (RFC 6266). */
import { httpLimits } from '../limits.ts';

/** Control characters, also those that turn the direction of text, and what separates folders or means something to a shell. */
const dangerous = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;
const nameless = 'file';

export type DispositionKind = 'attachment' | 'inline';

/**
 * `attachment` is always saved, `inline` may be shown. The name may come from anybody: it cannot end the header, leave the
 * folder for downloads or pretend another ending.
 */
export function contentDisposition(kind: DispositionKind, filename: string | undefined): string {
  if (filename === undefined) return kind;
  const safe = safeName(filename);
  const ascii = safe.replace(/[^\x20-\x7e]|%/g, '_');
  const plain = `${kind}; filename="${ascii}"`;
  return ascii === safe ? plain : `${plain}; filename*=UTF-8''${extended(safe)}`;
}

/** Of too long a name the end is kept, because it says what the file is. */
function safeName(filename: string): string {
  const written = filename
    .toWellFormed()
    .normalize('NFC')
    .replace(dangerous, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const characters = [...written];
  return (
    characters
      .slice(-httpLimits.filenameCharactersMax)
      .join('')
      .replace(/^[\s.]+/, '') || nameless
  );
}

/** RFC 8187, section 3.2.1. */
function extended(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
