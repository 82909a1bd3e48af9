/** Text that an operation reads by its own schema. */
import type { z } from 'zod';
import { validationFailure } from '../../../runtime/errors.ts';

/** Throws Failure validation for what the schema does not take: nothing at all, or too much. */
export function typedText(schema: z.ZodString, text: string, name = 'Text'): string {
  const read = schema.safeParse(text);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'too_big')
    throw validationFailure(`${name} is too long (maximum is ${issue.maximum} characters)`);
  throw validationFailure(`${name} can't be blank`);
}
