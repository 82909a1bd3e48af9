/** A picture that comes with a command: its bytes in base64. */
import { z } from 'zod';
import type { StoredPicture } from '../../actors/blob/blob.records.ts';
import { Failure } from '../../runtime/errors.ts';
import { type PictureFormName, pictureForms } from '../../services/media/picture-forms.ts';
import type { Services } from '../../services/services.ts';

export const GivenPicture = z.base64();

/** Decodes and stores it. Throws Failure validation and mediaRefused, and as `Pictures` does. */
export async function storeGiven(
  { incoming, pictures }: Pick<Services, 'incoming' | 'pictures'>,
  given: string,
  form: PictureFormName,
): Promise<StoredPicture> {
  const bytes = Buffer.from(given, 'base64');
  const { bytesMax } = pictureForms[form];
  if (bytes.length > bytesMax)
    throw new Failure('validation', { text: `The picture must have at most ${bytesMax / 1_024} KB.` });
  const name = await incoming.write(bytes);
  try {
    return await pictures.store({ path: incoming.pathOf(name), form });
  } finally {
    await incoming.remove(name);
  }
}
