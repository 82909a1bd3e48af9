/** The settings in force: those stored by staff, otherwise the options. */
import type {
  Audience,
  InstanceSettings,
  InvitationMode,
  RegistrationMode,
} from '../../actors/instance/instance.messages.ts';
import { storedSettings } from '../../actors/instance/instance.queries.ts';
import type { FeedAccess, OwnTopicAccess } from '../../actors/policy/feed-access.ts';
import type { Services } from '../../services/services.ts';
import { defaultPrivacyPolicy } from './default-privacy-policy.ts';

export interface EffectiveSettings extends Omit<InstanceSettings, 'disallowedHashtags' | 'publishDomainBlocks'> {
  readonly registrations: RegistrationMode;
  readonly invitations: InvitationMode;
  readonly title: string;
  readonly description: string;
  readonly rules: NonNullable<InstanceSettings['rules']>;
  readonly publishPeers: boolean;
  readonly publishActivity: boolean;
  readonly domainBlocksFor: Audience;
  readonly domainBlockReasonsFor: Audience;
  readonly disallowedHashtags: readonly string[];
  readonly trends: boolean;
  readonly trendableByDefault: boolean;
  readonly reasonRequired: boolean;
  readonly remoteStatusDays: number;
  readonly localLiveFeeds: FeedAccess;
  readonly remoteLiveFeeds: FeedAccess;
  readonly localTopicFeeds: OwnTopicAccess;
  readonly remoteTopicFeeds: FeedAccess;
  readonly emailSubscriptions: boolean;
  readonly privacyPolicy: NonNullable<InstanceSettings['privacyPolicy']>;
}

export function settingsOf({ snapshots, options }: Pick<Services, 'snapshots' | 'options'>): EffectiveSettings {
  const { publishDomainBlocks = true, ...stored } = storedSettings(snapshots);
  return {
    ...stored,
    registrations: stored.registrations ?? options.registrations,
    invitations: stored.invitations ?? 'approval',
    title: stored.title ?? options.title,
    description: stored.description ?? '',
    rules: stored.rules ?? [],
    publishPeers: stored.publishPeers ?? true,
    publishActivity: stored.publishActivity ?? true,
    domainBlocksFor: stored.domainBlocksFor ?? (publishDomainBlocks ? 'all' : 'disabled'),
    domainBlockReasonsFor: stored.domainBlockReasonsFor ?? 'all',
    disallowedHashtags: stored.disallowedHashtags ?? [],
    trends: stored.trends ?? true,
    trendableByDefault: stored.trendableByDefault ?? true,
    reasonRequired: stored.reasonRequired ?? false,
    remoteStatusDays: stored.remoteStatusDays ?? options.remoteStatusDays,
    localLiveFeeds: stored.localLiveFeeds ?? 'public',
    remoteLiveFeeds: stored.remoteLiveFeeds ?? 'public',
    localTopicFeeds: stored.localTopicFeeds ?? 'public',
    remoteTopicFeeds: stored.remoteTopicFeeds ?? 'public',
    emailSubscriptions: stored.emailSubscriptions ?? false,
    extendedDescription: written(stored.extendedDescription),
    privacyPolicy: written(stored.privacyPolicy) ?? defaultPrivacyPolicy,
    closedMessage: written(stored.closedMessage),
  };
}

/** An empty document was removed. */
function written<Document extends { readonly content: string }>(document: Document | undefined): Document | undefined {
  return document?.content === '' ? undefined : document;
}
