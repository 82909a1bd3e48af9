/** Changes the settings of the server: registrations, title and description, what is public about it. */
import { z } from 'zod';
import {
  Audience,
  Instance,
  InvitationMode,
  instanceKey,
  RegistrationMode,
} from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { feedAccesses, ownTopicAccesses } from '../../actors/policy/feed-access.ts';
import { optionLimits } from '../../options/limits.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type EffectiveSettings, settingsOf } from '../instance/settings.ts';
import { operation } from '../operation.ts';
import { namedAccount } from './local-account.ts';

/** Undefined fields stay unchanged. */
export const changeSettings = operation({
  input: z.object({
    registrations: RegistrationMode.optional(),
    invitations: InvitationMode.optional(),
    title: z.string().trim().min(1).max(instanceLimits.titleCharactersMax).optional(),
    description: z.string().trim().max(instanceLimits.descriptionCharactersMax).optional(),
    /** The user name of the contact account. */
    contact: z.string().optional(),
    publishPeers: z.boolean().optional(),
    publishActivity: z.boolean().optional(),
    domainBlocksFor: Audience.optional(),
    domainBlockReasonsFor: Audience.optional(),
    trends: z.boolean().optional(),
    trendableByDefault: z.boolean().optional(),
    /** Whether whoever needs approval has to say why. */
    reasonRequired: z.boolean().optional(),
    /** After how many days posts of other servers go that nobody here uses; 0 for never. */
    remoteStatusDays: z.number().int().min(0).max(optionLimits.remoteStatusDaysMax).optional(),
    /** Whether accounts whose role says so may let others subscribe to them by mail. */
    emailSubscriptions: z.boolean().optional(),
    localLiveFeeds: z.enum(feedAccesses).optional(),
    remoteLiveFeeds: z.enum(feedAccesses).optional(),
    localTopicFeeds: z.enum(ownTopicAccesses).optional(),
    remoteTopicFeeds: z.enum(feedAccesses).optional(),
  }),
  permission: 'manageSettings',
  audit: 'changeSettings',
  async run({ caller, services, audit }, { contact, ...changes }) {
    const contactAccountId = contact === undefined ? undefined : namedAccount(services, contact).profile.id;
    await services.client.call(
      Instance.changeSettings.to(instanceKey, { ...changes, contactAccountId, audit }),
      flowOf(caller),
    );
  },
});

export const showSettings = operation({
  input: z.object({}),
  permission: 'manageSettings',
  audit: reads,
  run: ({ services }): EffectiveSettings => settingsOf(services),
});
