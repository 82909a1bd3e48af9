/** What is wrong with settings, in sentences: where, what, and what was probably meant. */
import type { z } from 'zod';
import { nearestName } from '../../../src/options/nearest.ts';

/** `nameOf` writes a path as the reader knows it: of a file `parts[0].rate`, of a command `--rate`. */
export function problemsOf(
  error: z.ZodError,
  known: readonly string[],
  nameOf: (path: readonly PropertyKey[]) => string = pathInFile,
): string[] {
  return error.issues.flatMap((issue) => sentencesOf(issue, known, nameOf));
}

function sentencesOf(
  issue: z.core.$ZodIssue,
  known: readonly string[],
  nameOf: (path: readonly PropertyKey[]) => string,
): string[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const near = nearestName(key, known);
      return `There is no ${nameOf([...issue.path, key])}.${near === undefined ? '' : ` Did you mean ${nameOf([...issue.path, near])}?`}`;
    });
  return [`${nameOf(issue.path)}: ${issue.message}.`];
}

export function pathInFile(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}
