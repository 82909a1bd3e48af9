/**
 * Shapes that several features of an account share. Records are stored as arrays in the order of their keys: append
 * only (runtime/codec.ts).
 */
import { z } from 'zod';

export const identifier = z.bigint();

export const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;

export const Visibility = z.enum(visibilities);
export type Visibility = z.infer<typeof Visibility>;

export const CustomEmoji = z.object({ shortcode: z.string(), url: z.string(), staticUrl: z.string() });
export type CustomEmoji = z.infer<typeof CustomEmoji>;
