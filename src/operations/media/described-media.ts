/** What an author says of media: a description for those who do not see it, and the point that stays visible when it is cropped. */
import { z } from 'zod';
import { mediaLimits } from '../../actors/account/media/limits.ts';
import type { Attachment } from '../../actors/account/media/media.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';

/** To be spread into an object schema. */
export const describedInput = {
  description: z.string().optional(),
  /** Two numbers from -1 (left, bottom) to 1 (right, top), as `x,y`. */
  focus: z.string().optional(),
};

type Described = Pick<Attachment, 'description' | 'focusX' | 'focusY'>;

/** Absent fields stay as they are. Throws Failure validation for a description that is too long. */
export function describedMedia(given: { description?: string | undefined; focus?: string | undefined }): Described {
  const description = given.description === undefined ? undefined : cleanText(given.description);
  if (description !== undefined && [...description].length > mediaLimits.descriptionCharactersMax)
    throw validationFailure(`Description is too long (maximum is ${mediaLimits.descriptionCharactersMax} characters)`, {
      reason: 'descriptionTooLong',
      limit: mediaLimits.descriptionCharactersMax,
    });
  const [focusX, focusY] = focusOf(given.focus);
  return withoutUndefined({ description, focusX, focusY } as Described);
}

/** Values beyond the picture are moved to its edge; what is no number is the middle. */
function focusOf(focus: string | undefined): readonly (number | undefined)[] {
  if (focus === undefined || focus.trim() === '') return [];
  const numbers = focus.split(',', 2).map((part) => Number.parseFloat(part));
  return [0, 1].map((index) => Math.max(-1, Math.min(1, numbers[index] || 0)));
}
