/** Texts that staff keep ready for warnings. */
import { z } from 'zod';

export const PresetContent = z.object({
  /** For staff, who choose by it; empty where the text says enough. */
  title: z.string(),
  text: z.string(),
});
export type PresetContent = z.infer<typeof PresetContent>;
