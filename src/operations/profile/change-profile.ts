/**
 * Changes the profile and the preferences of the caller; undefined fields stay unchanged (behaviour of the Mastodon
 * API): a display name of 30 characters, a note of 500 in which links count as in a status, four fields of 255 each.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { type ChangeProfile, ProfileSettings } from '../../actors/account/profile/profile.messages.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { extractTokens } from '../../actors/text/extract.ts';
import { type RenderContext, renderProfileField, renderStatusText } from '../../actors/text/render.ts';
import { storeProfilePictures } from '../../services/media/pictures.ts';
import { knownAccount } from '../accounts/known-account.ts';
import { flowOf } from '../caller.ts';
import { namedEmojis } from '../instance/named-emojis.ts';
import { operation } from '../operation.ts';
import { findMentions, handlesOf, renderedMentions } from '../statuses/mentions.ts';
import { keptDomains } from './attribution-domains.ts';
import { checkProfile, keptFields, oneLine } from './profile-texts.ts';

const input = ProfileSettings.extend({
  displayName: z.string().optional(),
  note: z.string().optional(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  /** Paths of received files, which stay there; null removes the picture and its description. */
  avatarFile: z.string().nullable().optional(),
  headerFile: z.string().nullable().optional(),
  avatarDescription: z.string().optional(),
  headerDescription: z.string().optional(),
});
type Input = z.output<typeof input>;
type ProfileField = Profile['fields'][number];
type ProfileTexts = Pick<z.input<typeof ChangeProfile>, 'displayName' | 'note' | 'fields'>;

export const changeProfile = operation({
  input,
  permission: 'manageOwnAccount',
  async run({ caller, services }, given): Promise<void> {
    checkProfile(given);
    const mentions = renderedMentions(
      await findMentions(services, handlesOf(extractTokens(textWithMentions(given))), caller.cause),
    );
    const { profile } = knownAccount(services, caller.accountId);
    const change = profileChange(given, profile, { mentions });
    const emojis = namedEmojis(services, textsWithEmojis(change, profile));
    const pictures = await storeProfilePictures(services.pictures, given);
    const message = Account.changeProfile.to(caller.accountId, { ...change, emojis, ...pictures });
    await services.client.call(message, flowOf(caller));
  },
});

/** All texts in which accounts may be mentioned, joined. */
function textWithMentions({ note = '', fields = [] }: Input): string {
  return [note, ...keptFields(fields).map(({ value }) => value)].join('\n');
}

/** All texts in which custom emojis may stand, after the change. */
function textsWithEmojis(change: ProfileTexts, before: Profile): string[] {
  const { displayName = before.displayName, note = before.note, fields = before.fields } = change;
  return [displayName, note, ...fields.flatMap(({ name, value }) => [name, value])];
}

/** The input of the account actor, with note and fields rendered. */
function profileChange(
  { displayName, note: givenNote, fields, attributionDomains, ...others }: Input,
  before: Profile,
  context: RenderContext,
): z.input<typeof ChangeProfile> {
  const { avatarFile: _avatar, headerFile: _header, avatarDescription, headerDescription, ...rest } = others;
  const note = givenNote === undefined ? undefined : cleanText(givenNote);
  return {
    ...rest,
    attributionDomains: attributionDomains && keptDomains(attributionDomains),
    displayName: displayName === undefined ? undefined : oneLine(displayName),
    avatarDescription: avatarDescription === undefined ? undefined : cleanText(avatarDescription),
    headerDescription: headerDescription === undefined ? undefined : cleanText(headerDescription),
    note,
    noteHtml: note === undefined ? undefined : renderStatusText(note, context).html,
    fields: fields === undefined ? undefined : keptFields(fields).map((field) => renderedField(field, before, context)),
  };
}

/** A verified link stays verified as long as it is unchanged. */
function renderedField(field: { name: string; value: string }, before: Profile, context: RenderContext): ProfileField {
  const name = oneLine(field.name);
  const value = oneLine(field.value);
  const same = before.fields.find((earlier) => earlier.name === name && earlier.value === value);
  return { name, value, html: renderProfileField(value, context).html, verifiedAt: same?.verifiedAt };
}
