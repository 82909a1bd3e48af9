/** Records of link cards: the preview of a page that a status links to. */
import { z } from 'zod';

export const Card = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string(),
});
export type Card = z.infer<typeof Card>;
