/** The endpoints of staff. */
import { adminAccountListEndpoints } from './account-lists.ts';
import { adminAccountEndpoints } from './accounts.ts';
import { adminAnnouncementEndpoints } from './announcements.ts';
import { adminAppealEndpoints } from './appeals.ts';
import { adminAuditEndpoints } from './audit-log.ts';
import { adminEmojiEndpoints } from './custom-emojis.ts';
import { adminDomainAllowEndpoints } from './domain-allows.ts';
import { adminDomainBlockEndpoints } from './domain-blocks.ts';
import { adminDomainListEndpoints } from './domain-lists.ts';
import { adminEmailBlockEndpoints } from './email-blocks.ts';
import { adminInviteEndpoints } from './invites.ts';
import { adminIpBlockEndpoints } from './ip-blocks.ts';
import { adminMeasureEndpoints } from './measures.ts';
import { adminModerationNoteEndpoints } from './moderation-notes.ts';
import { adminRelayEndpoints } from './relays.ts';
import { adminReportEndpoints } from './reports.ts';
import { adminRoleEndpoints } from './roles.ts';
import { adminRuleEndpoints } from './rules.ts';
import { adminServerEndpoints } from './servers.ts';
import { adminSettingsEndpoints } from './settings.ts';
import { adminStatusEndpoints } from './statuses.ts';
import { adminStorageEndpoints } from './storage.ts';
import { adminSubscribedListEndpoints } from './subscribed-lists.ts';
import { adminTrendEndpoints } from './trends.ts';
import { adminUsernameBlockEndpoints } from './username-blocks.ts';
import { adminWarningPresetEndpoints } from './warning-presets.ts';
import { adminWebhookEndpoints } from './webhooks.ts';

export const adminEndpoints = [
  ...adminAccountEndpoints,
  ...adminAnnouncementEndpoints,
  ...adminAppealEndpoints,
  ...adminAccountListEndpoints,
  ...adminAuditEndpoints,
  ...adminDomainAllowEndpoints,
  ...adminDomainListEndpoints,
  ...adminDomainBlockEndpoints,
  ...adminEmailBlockEndpoints,
  ...adminInviteEndpoints,
  ...adminEmojiEndpoints,
  ...adminIpBlockEndpoints,
  ...adminMeasureEndpoints,
  ...adminModerationNoteEndpoints,
  ...adminRelayEndpoints,
  ...adminReportEndpoints,
  ...adminRoleEndpoints,
  ...adminRuleEndpoints,
  ...adminServerEndpoints,
  ...adminSettingsEndpoints,
  ...adminStatusEndpoints,
  ...adminStorageEndpoints,
  ...adminSubscribedListEndpoints,
  ...adminTrendEndpoints,
  ...adminUsernameBlockEndpoints,
  ...adminWarningPresetEndpoints,
  ...adminWebhookEndpoints,
];
