/** What must hold between entries of several kinds of actors. Rules within one kind are beside its keyspaces. */
import type { Reader } from '../runtime/storage/reader.ts';
import {
  agreement,
  countEntries,
  counted,
  disagreement,
  isKey,
  type Rule,
  rule,
  tally,
} from '../runtime/storage/rules.ts';
import { cardOf, linkOfCard } from './account/cards/cards.queries.ts';
import { archives } from './account/leaving/leaving.state.ts';
import { media } from './account/media/media.state.ts';
import { logins, profiles } from './account/profile/profile.state.ts';
import { pushSubscriptions } from './account/push/push.state.ts';
import { followers } from './account/relationships/relationships.state.ts';
import { isLocal } from './account/statuses/statuses.records.ts';
import { statuses } from './account/statuses/statuses.state.ts';
import type { HeldPicture } from './blob/blob.records.ts';
import { blobHolders } from './blob/blob.state.ts';
import { nameOfEmail, nameOfHandle, nameOfHost } from './directory/directory.messages.ts';
import { knownHosts, names } from './directory/directory.state.ts';
import { cardStatuses } from './domain/cards/cards.state.ts';
import { followerInboxes } from './domain/domain.state.ts';
import { blobsOf } from './held-pictures.ts';
import { customEmojis, settings } from './instance/instance.state.ts';
import { followerHostInboxes, hostsByNumber } from './partition/partition.state.ts';
import { hostOfPage } from './policy/page-host.ts';
import { isLocalPost, isUser } from './policy/usage.ts';
import { userKey } from './session/session.messages.ts';
import { activity, browserSessionsOfUser, tokensOfUser } from './session/session.state.ts';
import { activityDays, lastActive, noUsage, usageTotals } from './usage.state.ts';

const total = [0] as const;

function isBeforeTheWindow([day]: [number], reader: Reader): boolean {
  for (const { key } of reader.range(lastActive, [], { reverse: true, limit: 1 })) return day < key[0] - activityDays;
  return false;
}

const usageRules: readonly Rule[] = [
  tally({
    counter: usageTotals,
    what: 'users',
    said: ({ users }) => users,
    counts: (before = noUsage, users) => ({ ...before, users }),
    counted: [
      counted(logins, ([account], login, reader) => {
        const profile = reader.get(profiles, [account]);
        return profile !== undefined && isUser(profile, login) ? total : undefined;
      }),
    ],
  }),
  tally({
    counter: usageTotals,
    what: 'statuses',
    said: ({ statuses: said }) => said,
    counts: (before = noUsage, count) => ({ ...before, statuses: count }),
    counted: [
      counted(statuses, (_key, status) => (isLocalPost({ ...status, local: isLocal(status) }) ? total : undefined)),
    ],
  }),
  tally({
    counter: usageTotals,
    what: 'hosts',
    said: ({ hosts }) => hosts,
    counts: (before = noUsage, hosts) => ({ ...before, hosts }),
    counted: [counted(knownHosts, () => total)],
  }),
  tally({
    counter: lastActive,
    what: 'active accounts',
    said: (accounts) => accounts,
    counts: (_before, accounts) => accounts,
    counted: [counted(activity, (_key, day) => [day])],
    isForgotten: isBeforeTheWindow,
  }),
];

const nameRules: readonly Rule[] = [
  // The directory chooses the account's id, in the slot of its name, before the account exists.
  rule(profiles, ([account], { username, remote }, reader) =>
    reader.get(names, [remote?.uri ?? nameOfHandle(username, undefined)])?.accountId === account
      ? undefined
      : 'is not found by its name',
  ),
  // An address that is not confirmed may be that of several accounts, none of which owns it.
  agreement(logins, ([account], { email, confirmed }, server) =>
    !confirmed || server.get(names, [nameOfEmail(email)])?.accountId === account
      ? undefined
      : 'is not found by its e-mail address',
  ),
  agreement(profiles, (_key, { username, domain }, server) =>
    server.get(names, [nameOfHandle(username, domain)]) === undefined ? 'is not found by its handle' : undefined,
  ),
  agreement(names, (_key, { accountId }, server) =>
    accountId === undefined || server.get(profiles, [accountId]) !== undefined
      ? undefined
      : 'leads to an account that is not there',
  ),
  rule(knownHosts, (_key, { host }, reader) =>
    reader.get(names, [nameOfHost(host)]) === undefined ? 'is not among the names' : undefined,
  ),
];

function unheldBlob(pictures: readonly (HeldPicture | undefined)[], server: Reader): string | undefined {
  for (const picture of pictures) {
    if (picture === undefined) continue;
    const isHeld = blobsOf(picture).every(
      ({ name }) => server.get(blobHolders, [name, picture.holderId]) !== undefined,
    );
    if (!isHeld) return 'has a picture that is not held';
  }
  return undefined;
}

const pictureRules: readonly Rule[] = [
  agreement(profiles, (_key, { avatarPicture, headerPicture }, server) =>
    unheldBlob([avatarPicture, headerPicture], server),
  ),
  agreement(customEmojis, (_key, { picture }, server) => unheldBlob([picture], server)),
  agreement(settings, (_key, { thumbnail }, server) => unheldBlob([thumbnail], server)),
  agreement(archives, (_key, { id, blob }, server) =>
    blob === undefined || server.get(blobHolders, [blob.name, id]) !== undefined ? undefined : 'is not held',
  ),
];

export const rulesBetweenKinds: readonly Rule[] = [
  agreement(media, ([, mediaId], { blobs: held }, server) =>
    held.every(({ name }) => server.get(blobHolders, [name, mediaId]) !== undefined)
      ? undefined
      : 'does not hold what it shows',
  ),
  ...usageRules,
  ...nameRules,
  ...pictureRules,
  agreement(followerInboxes, ([, account, follower], { inbox }, server, bytes) => {
    const { destination } = server.get(followers, [account, follower]) ?? {};
    if (destination === undefined) return 'is of no follower';
    const isThere = isKey(followerInboxes, [destination.host, account, follower], bytes);
    return isThere && inbox === (destination.sharedInbox ?? destination.inbox)
      ? undefined
      : 'is not where it is reached';
  }),
  // Inboxes on other hosts are left out above a number of them.
  agreement(followers, ([account, follower], { destination }, server) => {
    if (destination === undefined || destination.isElsewhere === true) return undefined;
    const isReached = server.get(followerInboxes, [destination.host, account, follower]) !== undefined;
    return isReached ? undefined : 'is not among the followers at its host';
  }),
  agreement(cardStatuses, ([, , status], _showing, server, bytes) => {
    const stored = server.get(statuses, [status]);
    const link = stored && linkOfCard(stored);
    return link !== undefined && isKey(cardStatuses, [hostOfPage(link), link, status], bytes)
      ? undefined
      : 'is of a status without this link';
  }),
  agreement(statuses, ([status], stored, server) => {
    const link = cardOf(stored) && linkOfCard(stored);
    return link === undefined || server.get(cardStatuses, [hostOfPage(link), link, status]) !== undefined
      ? undefined
      : 'shows a card of which its host does not know';
  }),
  agreement(pushSubscriptions, ([account], _subscription, server, bytes) => {
    for (const { value } of server.range(tokensOfUser, [userKey(account)]))
      if (isKey(pushSubscriptions, [account, value.tokenId], bytes)) return undefined;
    for (const { value } of server.range(browserSessionsOfUser, [userKey(account)]))
      if (isKey(pushSubscriptions, [account, value.sessionId], bytes)) return undefined;
    return 'is of no token or browser session of the account';
  }),
  rule(followerHostInboxes, ([account, number], { inbox, followers }, reader) => {
    const host = reader.get(hostsByNumber, [number])?.host;
    if (host === undefined) return 'is of a host that has no number';
    const known = countEntries(reader, followerInboxes, [host, account], (kept) => kept.inbox === inbox);
    return disagreement('followers', followers, known);
  }),
];
