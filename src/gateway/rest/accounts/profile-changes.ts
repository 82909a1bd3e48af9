/**
 * The parameters of a profile change, checked and rendered (behaviour of the Mastodon API): a display name
 * of 30 characters, a note of 500 in which links count as in a status, four fields of 255 each.
 */
import { z } from 'zod';
import { visibilities } from '../../../actors/account/account.records.ts';
import type { ChangeProfile } from '../../../actors/account/profile/profile.messages.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { cleanText } from '../../../actors/text/characters.ts';
import { type RenderContext, renderProfileField, renderStatusText } from '../../../actors/text/render.ts';
import { isLanguage } from '../../../operations/languages.ts';
import { exceedsCharacters, exceedsStatusCharacters } from '../../../operations/text-lengths.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { profileLimits } from '../../../runtime/limits.ts';
import { boolean, choice, file, group, list, text } from '../../http/parameter-types.ts';

const source = group({ privacy: choice(visibilities), sensitive: boolean, language: text });

export const profileParameters = z.object({
  display_name: text,
  note: text,
  locked: boolean,
  bot: boolean,
  discoverable: boolean,
  hide_collections: boolean,
  indexable: boolean,
  fields_attributes: list(z.object({ name: text, value: text })),
  source,
  avatar: file,
  header: file,
});
export type ProfileParameters = z.output<typeof profileParameters>;
type GivenField = NonNullable<ProfileParameters['fields_attributes']>[number];
type ProfileField = Profile['fields'][number];

const blankRun = /\s+/g;

/** Throws Failure validation for what is too long, too much, or not served. */
export function checkProfile(given: ProfileParameters): void {
  const { displayNameCharactersMax, noteCharactersMax, fieldsMax } = profileLimits;
  if (given.avatar !== undefined || given.header !== undefined)
    throw validationFailure('Profile images are not available on this server');
  if (exceedsCharacters(given.display_name ?? '', displayNameCharactersMax))
    throw tooLong('Display name', displayNameCharactersMax);
  if (exceedsStatusCharacters(given.note ?? '', '', noteCharactersMax)) throw tooLong('Note', noteCharactersMax);
  const fields = keptFields(given);
  if (fields !== undefined && fields.length > fieldsMax)
    throw validationFailure(`Fields has the wrong length (maximum is ${fieldsMax})`);
  fields?.forEach(checkField);
  const language = given.source?.language;
  if (language && !isLanguage(language)) throw validationFailure('Default language is invalid');
}

function checkField({ name = '', value = '' }: GivenField): void {
  const { fieldCharactersMax } = profileLimits;
  if (isBlank(name)) throw validationFailure("Field name can't be blank");
  if (exceedsCharacters(name, fieldCharactersMax)) throw tooLong('Field name', fieldCharactersMax);
  if (exceedsCharacters(value, fieldCharactersMax)) throw tooLong('Field value', fieldCharactersMax);
}

function tooLong(subject: string, charactersMax: number) {
  return validationFailure(`${subject} is too long (maximum is ${charactersMax} characters)`);
}

function isBlank(value: string | undefined): boolean {
  return value === undefined || cleanText(value) === '';
}

/** Rows in which nothing is written are how clients delete one. */
function keptFields(given: ProfileParameters): GivenField[] | undefined {
  return given.fields_attributes?.filter(({ name, value }) => !(isBlank(name) && isBlank(value)));
}

/** Every text in which somebody may be mentioned, as one. */
export function textWithMentions(given: ProfileParameters): string {
  const values = keptFields(given)?.map((field) => field.value ?? '') ?? [];
  return [given.note ?? '', ...values].join('\n');
}

/** The change as the account takes it, with note and fields rendered. What was not given stays undefined. */
export function profileChange(
  given: ProfileParameters,
  before: Profile,
  context: RenderContext,
): z.input<typeof ChangeProfile> {
  const note = given.note === undefined ? undefined : cleanText(given.note);
  return {
    displayName: given.display_name === undefined ? undefined : oneLine(given.display_name),
    note,
    noteHtml: note === undefined ? undefined : renderStatusText(note, context).html,
    fields: keptFields(given)?.map((field) => renderedField(field, before, context)),
    locked: given.locked,
    bot: given.bot,
    discoverable: given.discoverable,
    indexable: given.indexable,
    hideCollections: given.hide_collections,
    defaultPrivacy: given.source?.privacy,
    defaultSensitive: given.source?.sensitive,
    defaultLanguage: given.source?.language,
  };
}

/** A link that was verified stays so as long as it is not changed. */
function renderedField(field: GivenField, before: Profile, context: RenderContext): ProfileField {
  const name = oneLine(field.name ?? '');
  const value = oneLine(field.value ?? '');
  const same = before.fields.find((earlier) => earlier.name === name && earlier.value === value);
  return { name, value, html: renderProfileField(value, context).html, verifiedAt: same?.verifiedAt };
}

function oneLine(given: string): string {
  return cleanText(given).replace(blankRun, ' ');
}
