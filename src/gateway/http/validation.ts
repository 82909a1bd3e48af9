/**
 * Validates parameters with a schema and describes problems in plain words: 422 `Validation failed: Title can't be
 * blank`, in the wording of Rails that clients show to users. A message written in a schema wins over these.
 */
import type { z } from 'zod';
import { validationFailure } from '../../runtime/errors.ts';
import { httpLimits } from './limits.ts';

const options: z.core.ParseContext<z.core.$ZodIssue> = { error: plainWords };

/** Throws Failure validation, or whatever a block of the schema throws. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, options);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, httpLimits.validationSentencesMax);
  throw validationFailure(issues.map((issue) => sentence(issue.path, issue.message)).join(', '));
}

function sentence(path: readonly PropertyKey[], words: string): string {
  const names = path.filter((key) => typeof key === 'string');
  const subject = names.join(' ').replaceAll('_', ' ').trim();
  return subject === '' ? words : `${subject[0]!.toUpperCase()}${subject.slice(1)} ${words}`;
}

function plainWords(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  if (input === undefined || input === null || input === '') return "can't be blank";
  switch (issue.code) {
    case 'too_big':
      return bound(issue.origin, 'long', 'maximum', 'less', Number(issue.maximum));
    case 'too_small':
      return bound(issue.origin, 'short', 'minimum', 'greater', Number(issue.minimum));
    case 'invalid_value':
      return typeof input === 'object' ? 'is invalid' : 'is not included in the list';
    case 'invalid_type':
      if (typeof input === 'object') return 'is invalid';
      return issue.expected === 'number' || issue.expected === 'int' ? 'is not a number' : 'is invalid';
    default:
      return 'is invalid';
  }
}

function bound(origin: string, extent: string, name: string, comparison: string, value: number): string {
  if (origin === 'string') return `is too ${extent} (${name} is ${value} characters)`;
  if (origin === 'array') return `has the wrong length (${name} is ${value})`;
  return `must be ${comparison} than or equal to ${value}`;
}
