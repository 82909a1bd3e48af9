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
    await services.client.call(Account.changeProfile.to(caller.accountId, { ...change, emojis }), flowOf(caller));
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
  { displayName, note: givenNote, fields, attributionDomains, ...rest }: Input,
  before: Profile,
  context: RenderContext,
): z.input<typeof ChangeProfile> {
  const note = givenNote === undefined ? undefined : cleanText(givenNote);
  return {
    ...rest,
    attributionDomains: attributionDomains && keptDomains(attributionDomains),
    displayName: displayName === undefined ? undefined : oneLine(displayName),
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
