/** Reacts to an announcement with an emoji, and removes the reaction. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { reactionsTo } from '../../actors/instance/announcements/announcements.queries.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { findCustomEmoji } from '../../actors/instance/instance.queries.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const Reaction = z.object({ announcementId: identifier, name: z.string() });

/** Older programs omit the variation selector for coloured presentation. */
const emoji = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f?)$/v;

export const reactToAnnouncement = operation({
  input: Reaction,
  permission: 'interact',
  async run({ caller, services }, { announcementId, name }) {
    if (!isReaction(services, announcementId, name))
      throw validationFailure('Name is not a recognized emoji', { reason: 'notAnEmoji' });
    const { accountId } = caller;
    await services.client.call(Instance.react.to(instanceKey, { announcementId, accountId, name }), flowOf(caller));
  },
});

export const takeReactionBack = operation({
  input: Reaction,
  permission: 'interact',
  async run({ caller, services }, { announcementId, name }) {
    const reaction = { announcementId, accountId: caller.accountId, name };
    await services.client.call(Instance.takeReactionBack.to(instanceKey, reaction), flowOf(caller));
  },
});

/** An emoji, a custom one of this server, or one that others have reacted with before it was removed or disabled. */
function isReaction({ snapshots }: Services, announcementId: Id, name: string): boolean {
  const custom = findCustomEmoji(snapshots, name);
  return (
    emoji.test(name) ||
    (custom !== undefined && custom.isDisabled !== true) ||
    reactionsTo(snapshots, announcementId).some((reaction) => reaction.name === name)
  );
}
