/** The effect of blobs. Effect numbers are append-only over all actors: this file has 23. */
import { z } from 'zod';
import { effectType } from '../../runtime/effects.ts';

const UnheldBlob = z.object({ name: z.string() });

/** Removes bytes from the blob store. */
export const removeBlob = effectType<z.infer<typeof UnheldBlob>, object>(23, 'remove blob', UnheldBlob);
