/** The texts of a profile: which of them are too long, too many or no language, and how they are kept. */
import { cleanText } from '../../actors/text/characters.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { isLanguage } from '../languages.ts';
import { exceedsCharacters, exceedsStatusCharacters } from '../text-lengths.ts';
import { profileLimits } from './limits.ts';

interface GivenField {
  readonly name: string;
  readonly value: string;
}

interface GivenTexts {
  readonly displayName?: string | undefined;
  readonly note?: string | undefined;
  readonly fields?: readonly GivenField[] | undefined;
  readonly defaultLanguage?: string | undefined;
}

const blankRun = /\s+/g;

/** Throws Failure validation. */
export function checkProfile({ displayName = '', note = '', fields = [], defaultLanguage }: GivenTexts): void {
  const { displayNameCharactersMax, noteCharactersMax, fieldsMax } = profileLimits;
  if (exceedsCharacters(displayName, displayNameCharactersMax)) throw tooLong('Display name', displayNameCharactersMax);
  if (exceedsStatusCharacters(note, '', noteCharactersMax)) throw tooLong('Note', noteCharactersMax);
  const kept = keptFields(fields);
  if (kept.length > fieldsMax) throw validationFailure(`Fields has the wrong length (maximum is ${fieldsMax})`);
  kept.forEach(checkField);
  if (defaultLanguage && !isLanguage(defaultLanguage)) throw validationFailure('Default language is invalid');
}

function checkField({ name, value }: GivenField): void {
  const { fieldCharactersMax } = profileLimits;
  if (isBlank(name)) throw validationFailure("Field name can't be blank");
  if (exceedsCharacters(name, fieldCharactersMax)) throw tooLong('Field name', fieldCharactersMax);
  if (exceedsCharacters(value, fieldCharactersMax)) throw tooLong('Field value', fieldCharactersMax);
}

function tooLong(subject: string, charactersMax: number) {
  return validationFailure(`${subject} is too long (maximum is ${charactersMax} characters)`);
}

function isBlank(value: string): boolean {
  return cleanText(value) === '';
}

/** Rows in which nothing is written are how clients delete one. */
export function keptFields<Field extends GivenField>(fields: readonly Field[]): Field[] {
  return fields.filter(({ name, value }) => !(isBlank(name) && isBlank(value)));
}

export function oneLine(given: string): string {
  return cleanText(given).replace(blankRun, ' ');
}
