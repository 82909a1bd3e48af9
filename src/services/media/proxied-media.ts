/**
 * The files of other servers that are shown here, by what they are for: one row each. A picture is decoded into a form of
 * picture-forms.ts, of which one part is shown; a film or a sound is kept as its server sends it.
 */
import type { PictureFormName } from './picture-forms.ts';

export type PicturePart = 'original' | 'preview' | 'still';

export type ProxiedMedia =
  | { readonly form: PictureFormName; readonly part: PicturePart }
  | { readonly form: 'played'; readonly part: 'original' };

export const proxiedMedia = {
  /** An attached picture. */
  picture: { form: 'attachment', part: 'original' },
  preview: { form: 'attachment', part: 'preview' },
  /** An attached film or sound, and the picture that its sender gives for it. */
  film: { form: 'played', part: 'original' },
  cover: { form: 'cover', part: 'original' },
  /** The still ones are the first frame of what moves, and the same as the others of what does not. */
  avatar: { form: 'avatar', part: 'original' },
  'avatar-still': { form: 'avatar', part: 'still' },
  header: { form: 'header', part: 'original' },
  'header-still': { form: 'header', part: 'still' },
  emoji: { form: 'emoji', part: 'original' },
  'emoji-still': { form: 'emoji', part: 'still' },
  /** The picture of a link preview. */
  card: { form: 'card', part: 'original' },
} as const satisfies Record<string, ProxiedMedia>;

export type ProxiedKind = keyof typeof proxiedMedia;

export function isProxiedKind(text: string): text is ProxiedKind {
  return Object.hasOwn(proxiedMedia, text);
}
