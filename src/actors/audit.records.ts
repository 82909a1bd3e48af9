/**
 * The audit log: what staff, the command line and the server itself have decided about accounts and the server. An entry
 * is written in the commit of its action and is never changed or deleted (specification 4.10).
 */
import { z } from 'zod';
import { identifier } from './account/account.records.ts';

/** What each action is done to. Names are stored: append-only. */
export const auditActions = {
  createAccount: 'account',
  approveAccount: 'account',
  confirmAccount: 'account',
  changeRole: 'account',
  resetPassword: 'account',
  warnAccount: 'account',
  limitAccount: 'account',
  unlimitAccount: 'account',
  suspendAccount: 'account',
  unsuspendAccount: 'account',
  disableAccount: 'account',
  enableAccount: 'account',
  createToken: 'account',
  resolveReport: 'report',
  publishAnnouncement: 'announcement',
  changeAnnouncement: 'announcement',
  withdrawAnnouncement: 'announcement',
  addRule: 'rule',
  changeRule: 'rule',
  removeRule: 'rule',
  putEmoji: 'emoji',
  removeEmoji: 'emoji',
  changeSettings: 'settings',
  writeDocument: 'document',
  removeDocument: 'document',
  publishTerms: 'terms',
  withdrawTerms: 'terms',
  changeHashtag: 'hashtag',
  blockDomain: 'domainBlock',
  changeDomainBlock: 'domainBlock',
  unblockDomain: 'domainBlock',
  allowDomain: 'domainAllow',
  disallowDomain: 'domainAllow',
  changeFederationMode: 'settings',
  blockEmailDomain: 'emailDomainBlock',
  unblockEmailDomain: 'emailDomainBlock',
  blockCanonicalEmail: 'canonicalEmailBlock',
  unblockCanonicalEmail: 'canonicalEmailBlock',
  blockAddress: 'ipBlock',
  changeAddressBlock: 'ipBlock',
  unblockAddress: 'ipBlock',
  blockUsername: 'usernameBlock',
  unblockUsername: 'usernameBlock',
  admitSubscriber: 'relaySubscription',
  rejectSubscriber: 'relaySubscription',
  removeSubscriber: 'relaySubscription',
  filterSubscriber: 'relaySubscription',
  pruneSubscriber: 'relaySubscription',
  changeThumbnail: 'settings',
  reopenReport: 'report',
  assignReport: 'report',
  unassignReport: 'report',
  changeReport: 'report',
  importSubscribers: 'relaySubscription',
  joinRelay: 'joinedRelay',
  leaveRelay: 'joinedRelay',
  importRelayKey: 'settings',
  markAccountSensitive: 'account',
  unmarkAccountSensitive: 'account',
  deleteReportedStatuses: 'account',
  markReportedSensitive: 'account',
  rejectAccount: 'account',
  removeAccountData: 'account',
  removePictures: 'account',
  endSessions: 'account',
  forceNewPassword: 'account',
  reviewTrend: 'trend',
  changeTag: 'hashtag',
  approveAppeal: 'appeal',
  rejectAppeal: 'appeal',
  disableTwoFactor: 'account',
  addWarningPreset: 'warningPreset',
  changeWarningPreset: 'warningPreset',
  removeWarningPreset: 'warningPreset',
  importDomainBlock: 'domainBlock',
  importDomainAllow: 'domainAllow',
  addAccountNote: 'account',
  removeAccountNote: 'account',
  addReportNote: 'report',
  removeReportNote: 'report',
  addServerNote: 'server',
  removeServerNote: 'server',
  addRole: 'role',
  editRole: 'role',
  removeRole: 'role',
  mailAnnouncement: 'announcement',
  rotateKeys: 'account',
  rotateAllKeys: 'settings',
  rotateServerKey: 'settings',
  subscribeToDomainList: 'domainList',
  changeDomainList: 'domainList',
  unsubscribeFromDomainList: 'domainList',
  readDomainList: 'domainList',
  acceptDomainSuggestion: 'domainBlock',
  refuseDomainSuggestion: 'domainBlock',
  addInvite: 'invite',
  endInvite: 'invite',
  endInvites: 'invite',
  changeEmoji: 'emoji',
  copyEmoji: 'emoji',
  tellTerms: 'terms',
  changeEmail: 'account',
  memorializeAccount: 'account',
  addWebhook: 'webhook',
  changeWebhook: 'webhook',
  removeWebhook: 'webhook',
  enableWebhook: 'webhook',
  disableWebhook: 'webhook',
  rotateWebhookSecret: 'webhook',
  unblockAccountEmail: 'account',
  stopDelivery: 'server',
  restartDelivery: 'server',
  clearDeliveryFailures: 'server',
  purgeServer: 'server',
  endEmailSubscriptions: 'account',
  testWebhook: 'webhook',
  deleteStatuses: 'account',
  markStatusesSensitive: 'account',
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof auditActions;
export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];
export const AuditAction = z.enum(auditActionNames);

export type AuditTarget = (typeof auditActions)[AuditAction];
export const auditTargets: readonly AuditTarget[] = [...new Set(Object.values(auditActions))];

/** `server`: nobody decided it at that moment, such as the end of an announcement. */
export const auditActors = ['account', 'commandLine', 'server'] as const;

/** What a message about an action carries to the actor that writes the entry. */
export const AuditInput = z.object({
  action: AuditAction,
  by: z.enum(auditActors),
  /** The account that acted. */
  accountId: identifier.optional(),
  /** The IP address that the request came from. */
  address: z.string().optional(),
  /** The report that led to it. */
  reportId: identifier.optional(),
  /** Of the target, where the actor that writes the entry does not know it. */
  name: z.string().optional(),
});
export type AuditInput = z.infer<typeof AuditInput>;

/** How far the log of each partition has been read, in the moments of its entries. */
export const AuditMoments = z.array(z.number()).readonly();
export type AuditMoments = z.infer<typeof AuditMoments>;

/** With what whoever acts knows: how far the log had come when the state was read that the action is about. */
export const GivenAudit = AuditInput.extend({
  /** Of earlier versions, which went by ids. Not read. */
  known: identifier.optional(),
  knownMoments: AuditMoments.optional(),
});
export type GivenAudit = z.infer<typeof GivenAudit>;

/** In the body of a message about what staff may do. Absent where the owner of an account does it. */
export const audited = { audit: GivenAudit.optional() };

const AuditValue = z.union([z.string(), z.number(), z.boolean()]);
export type AuditValue = z.infer<typeof AuditValue>;

/** A field that the action has changed. Long texts are shortened; what is secret has no values. */
const AuditChange = z.object({
  field: z.string(),
  before: AuditValue.optional(),
  after: AuditValue.optional(),
});
export type AuditChange = z.infer<typeof AuditChange>;

export const AuditEntry = AuditInput.extend({
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Of the target; absent for what there is one of. */
  targetId: z.string().optional(),
  /** Of the target, as people know it, also after it is gone: a user name, a shortcode, the beginning of a text. */
  name: z.string(),
  changes: z.array(AuditChange),
  /** Rises with each entry of its partition, also where the clock goes back; absent in those of earlier versions. */
  moment: z.number().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
