/** Validates the texts of a profile and normalises them for storage. */
import { cleanText } from '../../actors/text/characters.ts';
import { isLanguage } from '../languages.ts';
import { blank, type FieldProblem, invalid, overCharacterLimit, refuseFields, tooLong } from '../refused-fields.ts';
import { exceedsCharacters, exceedsStatusCharacters } from '../text-lengths.ts';
import { domainProblems } from './attribution-domains.ts';
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
  readonly attributionDomains?: readonly string[] | undefined;
  readonly locale?: string | undefined;
  readonly avatarDescription?: string | undefined;
  readonly headerDescription?: string | undefined;
}

const blankRun = /\s+/g;

/** Throws FieldsRefused. */
export function checkProfile(given: GivenTexts): void {
  const { displayName = '', note = '', fields = [], defaultLanguage, locale, attributionDomains } = given;
  const { displayNameCharactersMax, noteCharactersMax } = profileLimits;
  refuseFields({
    displayName: exceedsCharacters(displayName, displayNameCharactersMax) ? [tooLong(displayNameCharactersMax)] : [],
    note: exceedsStatusCharacters(note, '', noteCharactersMax) ? [overCharacterLimit(noteCharactersMax)] : [],
    fields: rowProblems(fields),
    avatarDescription: descriptionProblems(given.avatarDescription),
    headerDescription: descriptionProblems(given.headerDescription),
    attributionDomains: domainProblems(attributionDomains),
    locale: locale !== undefined && !isLanguage(locale) ? [invalid] : [],
    defaultLanguage: defaultLanguage && !isLanguage(defaultLanguage) ? [invalid] : [],
  });
}

function descriptionProblems(description = ''): FieldProblem[] {
  const { pictureDescriptionCharactersMax: maximum } = profileLimits;
  return exceedsCharacters(description, maximum) ? [tooLong(maximum)] : [];
}

function rowProblems(fields: readonly GivenField[]): FieldProblem[] {
  const { fieldsMax, fieldCharactersMax } = profileLimits;
  if (keptFields(fields).length > fieldsMax)
    return [
      {
        kind: 'tooLong',
        words: `has the wrong length (maximum is ${fieldsMax})`,
        reason: 'oneTooMany',
        limit: fieldsMax,
      },
    ];
  return fields.flatMap(({ name, value }, index) => {
    const about = (subject: string, problem: FieldProblem) => ({ ...problem, row: { index, subject } });
    if (isBlank(name)) return isBlank(value) ? [] : [about('Field name', { ...blank, reason: 'labelMissing' })];
    return [
      ...(exceedsCharacters(name, fieldCharactersMax) ? [about('Field name', tooLong(fieldCharactersMax))] : []),
      ...(exceedsCharacters(value, fieldCharactersMax) ? [about('Field value', tooLong(fieldCharactersMax))] : []),
    ];
  });
}

function isBlank(value: string): boolean {
  return cleanText(value) === '';
}

/** Clients delete a row by sending it empty. */
export function keptFields<Field extends GivenField>(fields: readonly Field[]): Field[] {
  return fields.filter(({ name, value }) => !(isBlank(name) && isBlank(value)));
}

export function oneLine(given: string): string {
  return cleanText(given).replace(blankRun, ' ');
}
