/** Every command of the operator, in the order of the help. */
import { accessCommands } from './access.ts';
import { accountListCommands } from './account-lists.ts';
import { accountRemovalCommands } from './account-removal.ts';
import { accountCommands } from './accounts.ts';
import { announcementCommands } from './announcements.ts';
import { appealCommands } from './appeals.ts';
import { auditCommands } from './audit.ts';
import { backupCommands } from './backup.ts';
import { clusterCommands } from './cluster.ts';
import type { Command } from './command.ts';
import { deliveryCommands } from './deliveries.ts';
import { demoCommands } from './demo.ts';
import { doctorCommands } from './doctor.ts';
import { documentCommands } from './documents.ts';
import { domainListCommands } from './domain-lists.ts';
import { domainCommands } from './domains.ts';
import { emojiCommands } from './emojis.ts';
import { inviteCommands } from './invites.ts';
import { knownServerCommands } from './known-servers.ts';
import { letterCommands } from './letters.ts';
import { mailCommands } from './mail.ts';
import { mediaCommands } from './media.ts';
import { moderationNoteCommands } from './moderation-notes.ts';
import { postCommands } from './posts.ts';
import { relayCommands } from './relay.ts';
import { relaysCommands } from './relays.ts';
import { reportCommands } from './reports.ts';
import { roleCommands } from './roles.ts';
import { searchCommands } from './search.ts';
import { serverCommands } from './server.ts';
import { settingsCommands } from './settings.ts';
import { storageCommands } from './storage.ts';
import { subscribedListCommands } from './subscribed-lists.ts';
import { trendCommands } from './trends.ts';
import { warningPresetCommands } from './warning-presets.ts';
import { webhookCommands } from './webhooks.ts';

export const commands: readonly Command[] = [
  ...accountCommands,
  ...accountRemovalCommands,
  ...accountListCommands,
  ...roleCommands,
  ...inviteCommands,
  ...settingsCommands,
  ...documentCommands,
  ...reportCommands,
  ...postCommands,
  ...moderationNoteCommands,
  ...appealCommands,
  ...warningPresetCommands,
  ...webhookCommands,
  ...trendCommands,
  ...domainCommands,
  ...domainListCommands,
  ...subscribedListCommands,
  ...accessCommands,
  ...auditCommands,
  ...announcementCommands,
  ...emojiCommands,
  ...knownServerCommands,
  ...deliveryCommands,
  ...relayCommands,
  ...relaysCommands,
  ...mailCommands,
  ...mediaCommands,
  ...searchCommands,
  ...letterCommands,
  ...serverCommands,
  ...storageCommands,
  ...doctorCommands,
  ...backupCommands,
  ...clusterCommands,
  ...demoCommands,
];
