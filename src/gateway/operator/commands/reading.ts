/** Parses the arguments and flags of a command (throws UsageError), and escapes what is printed. */
import { readFileSync } from 'node:fs';
import { type PictureFormName, pictureForms } from '../../../services/media/picture-forms.ts';
import type { FlagValues } from './command.ts';

/** Its message is a sentence about a typing mistake. */
export class UsageError extends Error {}

export function text(flags: FlagValues, flag: string): string | undefined {
  const value = flags[flag];
  return typeof value === 'string' ? value : undefined;
}

export function word<const Word extends string>(
  flags: FlagValues,
  flag: string,
  words: readonly Word[],
): Word | undefined {
  const given = text(flags, flag);
  return given === undefined ? undefined : wordOf(given, words, `--${flag}`);
}

export function wordOf<const Word extends string>(given: string, words: readonly Word[], what = 'It'): Word {
  const found = words.find((candidate) => candidate === given);
  if (found === undefined) throw new UsageError(`${what} must be one of ${words.join(', ')}, not ${given}.`);
  return found;
}

export function wholeNumber(flags: FlagValues, flag: string, max: number): number | undefined {
  const given = text(flags, flag);
  return given === undefined ? undefined : wholeNumberOf(given, max, `--${flag}`);
}

export function wholeNumberOf(given: string, max: number, what = 'It'): number {
  const number = /^\d+$/.test(given) ? Number(given) : 0;
  if (number < 1 || number > max) throw new UsageError(`${what} must be a number from 1 to ${max}, not ${given}.`);
  return number;
}

export function either(flags: FlagValues, yes: string, no: string): boolean | undefined {
  if (flags[yes] === true && flags[no] === true) throw new UsageError(`--${yes} and --${no} contradict each other.`);
  if (flags[yes] === true) return true;
  return flags[no] === true ? false : undefined;
}

/** A day such as 2027-01-31, optionally with a time; in milliseconds since 1970. A day without a time begins in UTC. */
export function timeOf(given: string, what = 'It'): number {
  const milliseconds = Date.parse(given);
  if (!isDay(given.slice(0, 10)) || Number.isNaN(milliseconds))
    throw new UsageError(`${what} must be a time such as 2027-01-31 or 2027-01-31T18:00Z, not ${given}.`);
  return milliseconds;
}

/** A day such as 2027-01-31, in milliseconds since 1970. */
export function dayOf(given: string): number {
  if (!isDay(given)) throw new UsageError(`${given} is not a date such as 2027-01-31.`);
  return Date.parse(given);
}

/** `Date.parse` alone takes 2027-02-31 for the third of March. */
function isDay(given: string): boolean {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(given) ? Date.parse(given) : Number.NaN;
  return milliseconds >= 0 && new Date(milliseconds).toISOString().startsWith(given);
}

/** Refuses a command that changes something but was not told what. */
export function demandChange(flags: FlagValues): void {
  if (Object.keys(flags).length === 0) throw new UsageError('Nothing was asked to be changed.');
}

/** Removes control characters: text written by others must not control the terminal. */
export function asOneLine(text: string, charactersMax: number): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').slice(0, charactersMax);
}

/** Read by the client: the server may run as another user. */
export function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** In base64. */
export function pictureAt(path: string, form: PictureFormName): string {
  const content = contentOf(path);
  const { bytesMax } = pictureForms[form];
  if (content.length > bytesMax) throw new UsageError(`${path} is too large: at most ${bytesMax / 1_024} KB.`);
  return content.toString('base64');
}
