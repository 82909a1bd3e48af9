/** Rules that `murmuration check` verifies, each with one defect that it must find. */
import { beforeAll, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { conversations } from '../../src/actors/account/conversations/conversations.state.ts';
import { removeUploadedFiles } from '../../src/actors/account/media/media.effects.ts';
import { appeals } from '../../src/actors/account/moderation/appeals.state.ts';
import { warnings } from '../../src/actors/account/moderation/warnings.state.ts';
import { pins } from '../../src/actors/account/pins/pins.state.ts';
import { pollVoteOf, pollVotes } from '../../src/actors/account/polls/polls.state.ts';
import { logins, profiles } from '../../src/actors/account/profile/profile.state.ts';
import { listedReports, reports } from '../../src/actors/account/reports/reports.state.ts';
import { accountsOfAddresses } from '../../src/actors/account/sign-ins/sign-ins.state.ts';
import { mediaOfAccount, statuses, statusVersions } from '../../src/actors/account/statuses/statuses.state.ts';
import { accountBeginnings, listedAccounts } from '../../src/actors/account-lists.state.ts';
import { auditEntries, auditIndex } from '../../src/actors/audit.state.ts';
import { blobHolders } from '../../src/actors/blob/blob.state.ts';
import { actors, keyspaces } from '../../src/actors/catalogue.ts';
import { followerInboxes } from '../../src/actors/domain/domain.state.ts';
import { accessOrder, addressBlocks } from '../../src/actors/instance/access/access.state.ts';
import { reactionCounts } from '../../src/actors/instance/announcements/announcements.state.ts';
import { applyDomainPolicy } from '../../src/actors/instance/domains/domains.effects.ts';
import { domainAllows, domainBlocks } from '../../src/actors/instance/domains/domains.state.ts';
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { customEmojis } from '../../src/actors/instance/instance.state.ts';
import { inviteLists, invites } from '../../src/actors/instance/invites/invites.state.ts';
import { mailLog, mailReaders } from '../../src/actors/partition/mails.state.ts';
import { PartitionActor } from '../../src/actors/partition/partition.messages.ts';
import { deliveryMeta, deliveryReaders, hostsByNumber } from '../../src/actors/partition/partition.state.ts';
import { pushLog, pushReaders } from '../../src/actors/partition/pushes.state.ts';
import { accountsOfHosts, localAccountNames, tagNames } from '../../src/actors/search.state.ts';
import { applicationKey, browserKey, codeKey, Session, tokenKey } from '../../src/actors/session/session.messages.ts';
import { applications, tokensOfUser } from '../../src/actors/session/session.state.ts';
import { mediaTimelines } from '../../src/actors/timelines.state.ts';
import { slotOfKey } from '../../src/runtime/ids.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { createTestServer } from '../support/actors.ts';
import * as acts from '../support/acts.ts';
import { type Changed, defectsOn, gone } from '../support/defects.ts';
import type { MemoryStore } from '../support/memory-log.ts';
import { People } from '../support/people.ts';
import { plainPost } from '../support/plain-post.ts';

const server = createTestServer({ actors, keyspaces });
const people = new People(server);
const disks = server.disks as readonly MemoryStore[];
const hour = 60 * 60 * 1_000;

beforeAll(async () => {
  const [alice, bob] = [people.local('alice'), people.local('bob')];
  const carol = people.remote('carol', 'there.example');
  await people.receiveFollow(carol, alice, 'https://there.example/follows/1');
  await people.follow(bob, carol);
  const poll = { options: ['one', 'two'], multiple: false, hideTotals: false, expiresInSeconds: 86_400 };
  const asked = await people.publish(alice, { poll });
  await server.call(Account.vote.to(alice.id, { statusId: asked.id, by: bob.id, choices: [0] }));
  await server.call(acts.edit(await people.publish(bob, { tags: ['cats'] }), { text: 'dogs' }));
  await people.publish(bob, { visibility: 'direct', mentions: [alice] });
  await people.publish(bob, { withMedia: true, tags: ['cats'] });
  await server.call(Account.pin.to(alice.id, { statusId: asked.id }));
  await server.call(Account.publish.to(bob.id, { ...plainPost('once'), idempotencyKey: 'key' }));
  const { text, spoilerText, visibility } = plainPost('later');
  const post = { text, spoilerText, visibility };
  await server.call(Account.schedulePost.to(bob.id, { scheduledAt: server.clock.now() + hour, post }));
  await server.call(Account.warn.to(bob.id, { action: 'none', text: 'Be kind.' }));
  const { strikeId } = await server.call(Account.sanction.to(bob.id, { action: 'sensitive', text: '', tells: false }));
  await server.call(Account.appeal.to(bob.id, { strikeId, text: 'Why?', staffIds: [] }));
  const said = { targetId: bob.id, statusIds: [], ruleIds: [], category: 'spam' as const, comment: '' };
  await server.call(Account.fileReport.to(alice.id, said));
  const uri = 'https://there.example/1';
  await people.receive(carol, uri);
  await server.call(Account.receiveDelete.to(carol.id, { uri }));
  const application = { clientId: 'app', secretDigest: '', name: 'App', redirectUris: [], scopes: ['push'] };
  await server.call(
    Session.registerApplication.to(applicationKey('app'), { ...application, dialect: 'mastodon', permanent: false }),
  );
  const rights = {
    clientId: 'other',
    applicationId: 1n,
    accountId: bob.id,
    scopes: ['push'],
    dialect: 'mastodon' as const,
  };
  await server.call(Session.issueToken.to(tokenKey('token'), rights));
  await server.call(Session.issueCode.to(codeKey('code'), { ...rights, redirectUri: 'https://app.example' }));
  await server.call(
    Session.openBrowserSession.to(browserKey('session'), { accountId: bob.id, passwordMark: '', browser: '' }),
  );
  const receiver = {
    endpoint: 'https://push.example',
    p256dh: '',
    auth: '',
    isStandard: true,
    alerts: ['follow'],
    policy: 'all' as const,
  };
  await server.call(Account.subscribeToPush.to(bob.id, { tokenId: 'token', subscription: receiver }));
  await people.follow(alice, bob);
  const partition = evenPlacement(disks.length).partitionOf(slotOfKey('push.example'));
  const lane = { host: 1, cursor: 0, ahead: [], failures: 0 };
  await server.call(
    PartitionActor.pushesProgressed.to(BigInt(partition), { reader: 0, readers: 1, lanes: [lane], floor: 1 }),
  );
  const avatarPicture = { file: { name: 'avatar.png', bytes: 9 } };
  await server.call(Account.changeProfile.to(bob.id, { avatarPicture }));
  await server.call(Account.changeLogin.to(bob.id, { passwordHash: 'another' }));
  const source = { way: 'password', address: '192.0.2.1', until: server.clock.now() + hour } as const;
  await server.call(Account.signedIn.to(bob.id, { ...source, succeeded: true }));
  const email = 'bob@example.org';
  await server.call(Account.mailRefused.to(bob.id, { email, response: '550 no' }));
  const mailPartition = BigInt(evenPlacement(disks.length).partitionOf(slotOfKey('example.org')));
  await server.call(
    PartitionActor.mailsProgressed.to(mailPartition, { reader: 0, readers: 1, lanes: [lane], floor: 1 }),
  );
  const emoji = { shortcode: 'cat', url: 'https://here.example/cat.png', staticUrl: '', visibleInPicker: true };
  const audit = { action: 'putEmoji', by: 'commandLine' } as const;
  await server.call(
    Instance.putEmoji.to(instanceKey, { ...emoji, audit, picture: { file: { name: 'cat.png', bytes: 9 } } }),
  );
  await server.call(Instance.changeThumbnail.to(instanceKey, { picture: { file: { name: 'birds.png', bytes: 9 } } }));
  const rule = { severity: 'silence', rejectMedia: false, rejectReports: false, obfuscate: false } as const;
  await server.call(Instance.blockDomain.to(instanceKey, { domain: 'loud.example', ...rule }));
  await server.call(Instance.allowDomain.to(instanceKey, { domain: 'kind.example' }));
  const range = { range: '192.0.2.0/24', severity: 'no_access', comment: '' } as const;
  await server.call(Instance.blockAddress.to(instanceKey, range));
  // Answers of effects that are awaited may be about anything.
  server.effects.findLast(({ effect }) => effect === removeUploadedFiles.number)?.answer({});
  server.settle();
  // The second rule came during the sweep for the first one, which begins anew.
  for (const revision of [1, 2]) {
    server.effects.findLast(({ effect }) => effect === applyDomainPolicy.number)!.answer({ revision });
    server.settle();
  }
  await server.call(Instance.addInvite.to(instanceKey, { code: 'abcdefghij', autofollow: false, comment: '' }));
  const content = { text: 'hi', html: '<p>hi</p>', allDay: false, mentions: [], statuses: [], tags: [], emojis: [] };
  const { announcementId } = await server.call(Instance.publishAnnouncement.to(instanceKey, content));
  await server.call(Instance.react.to(instanceKey, { announcementId, accountId: bob.id, name: 'cat' }));
  await server.call(PartitionActor.progressed.to(0n, { reader: 0, readers: 1, lanes: [], floor: 1 }));
  server.settle();
});

const { problems, problemsWith, alsoAt, every, more, timerOf } = defectsOn(disks);

test('nothing is wrong without a defect', () => {
  expect(problems()).toEqual([]);
});

test.each<[string, () => Generator<Changed>, RegExp]>([
  ['a voter remembers nothing', every(pollVoteOf, gone), /of poll votes is not what the voter remembers/],
  [
    'a voter remembers another choice',
    every(pollVoteOf, (vote) => ({ ...vote, choices: [1] })),
    /poll vote by status is not among the votes of the poll/,
  ],
  ['a vote is missing', every(pollVotes, gone), /of poll vote by status is not among the votes of the poll/],
  [
    'a status was never edited',
    every(statuses, (status) => ({ ...status, editedAt: undefined })),
    /of status versions is of a status that was never edited/,
  ],
  [
    'a version is older than its status',
    alsoAt(statusVersions, ([status]): [bigint, bigint] => [status, status - 1n]),
    /of status versions is older than its status/,
  ],
  [
    'nothing forgets an idempotency key',
    timerOf(Account.forgetIdempotencyKey),
    /of idempotency keys waits for forgetIdempotencyKey, which will not come/,
  ],
  [
    'nothing publishes a scheduled status',
    timerOf(Account.scheduledPostDue),
    /of scheduled statuses waits for scheduledPostDue or scheduledPostTried, which will not come/,
  ],
  [
    'nothing ends the time for the answer to a follow',
    timerOf(Account.followAnswerDue),
    /of followers waits for followAnswerDue, which will not come/,
  ],
  ['nothing sweeps withdrawals', timerOf(Account.sweepWithdrawals), /of withdrawals waits for sweepWithdrawals/],
  ['nothing forgets a code', timerOf(Session.forgetCode), /of authorization codes waits for forgetCode/],
  [
    'nothing closes a browser session',
    timerOf(Session.browserSessionOver),
    /of browser sessions waits for browserSessionOver or forgetBrowserSession/,
  ],
  [
    'nothing forgets an unused application',
    timerOf(Session.forgetUnusedApplication),
    /of applications waits for forgetUnusedApplication/,
  ],
  [
    'the picture of a profile is held by nobody',
    every(blobHolders, gone),
    /of profiles has a picture that is not held/,
  ],
  [
    'the picture of an emoji is held by nobody',
    every(blobHolders, gone),
    /of custom emojis has a picture that is not held/,
  ],
  [
    'the picture of the server is held by nobody',
    every(blobHolders, gone),
    /of settings has a picture that is not held/,
  ],
  [
    'an application has the id of another',
    every(applications, (one) => ({ ...one, clientId: 'x' })),
    /of applications is another application/,
  ],
  [
    'a conversation is gone, and not its statuses',
    every(conversations, gone),
    /of statuses of conversation waits for sweepConversation/,
  ],
  [
    'an entry of the audit log that no search finds',
    every(auditIndex, () => undefined),
    /of audit entries cannot be found by all of its facets/,
  ],
  [
    'an entry of the audit log that is gone',
    every(auditEntries, () => undefined),
    /of audit index leads to an entry that is not there/,
  ],
  [
    'a warning says something else',
    every(warnings, (warning) => ({ ...warning, text: 'x' })),
    /of warnings is not what its notification says/,
  ],
  [
    'a token is gone, and not its push subscription',
    every(tokensOfUser, gone),
    /of push subscriptions is of no token or browser session of the account/,
  ],
  [
    'a follower is reached elsewhere',
    every(followerInboxes, () => ({ inbox: 'x' })),
    /of follower inboxes is not where it is reached/,
  ],
  ['a follower is not reached', every(followerInboxes, gone), /of followers is not among the followers at its host/],
  [
    'the name of an account of this server is gone',
    every(localAccountNames, gone),
    /of profiles is not found by its name among the accounts of this server/,
  ],
  [
    'a status with media is on no list of such',
    every(mediaTimelines, () => undefined),
    /is not in the list of those with media #cats/,
  ],
  [
    'a status with media is not among those of its account',
    every(mediaOfAccount, () => undefined),
    /is not among the media of its account/,
  ],
  [
    'a list of media names a status without any',
    every(statuses, (status) => ({ ...status, attachments: [] })),
    /of media timelines leads to a status that is not in this list/,
  ],
  ['a tag has another name', every(tagNames, () => ({ name: 'x' })), /of tag names has the name of another tag/],
  [
    'an emoji has another name',
    every(customEmojis, (emoji) => ({ ...emoji, shortcode: 'x' })),
    /of custom emojis is another emoji/,
  ],
  [
    'a blocked domain has another name',
    every(domainBlocks, (block) => ({ ...block, domain: 'x' })),
    /of domain blocks is not found by its id/,
  ],
  [
    'a blocked address is another',
    every(addressBlocks, (one) => ({ ...one, range: '::/0' })),
    /of address blocks is not/,
  ],
  ['nothing forgets sign-ins', timerOf(Account.forgetSignIns), /of sign-ins waits for forgetSignIns/],
  ['nothing forgets an address', timerOf(Account.forgetSignIns), /of used addresses waits for forgetSignIns/],
  ['an address that no search finds', every(accountsOfAddresses, () => undefined), /of used addresses has no entry in/],
  ['blocked addresses have no order', every(accessOrder, gone), /of address blocks is not found by its id/],
  ['blocked addresses are not counted', every(addressBlocks, gone), /of access sizes/],
  [
    'an account is on no list of staff',
    every(listedAccounts, () => undefined),
    /of profiles is missing on the lists of/,
  ],
  [
    'an account has other lists',
    every(profiles, (one) => ({ ...one, limited: !one.limited })),
    /is missing on the lists/,
  ],
  [
    'an account is listed without being there',
    every(profiles, (one) => ({ ...one, suspendedAt: 1 })),
    /of listed accounts is not the standing of that account/,
  ],
  [
    'an account has no beginning',
    every(accountBeginnings, () => undefined),
    /of profiles is missing on the lists of staff/,
  ],
  [
    'an account has another address',
    every(logins, (login) => ({ ...login, email: 'x' })),
    /of beginnings of accounts is not a beginning of that account/,
  ],
  ['an account is at another host', every(accountsOfHosts, (one) => ({ ...one, host: 'x' })), /is not the host of/],
  ['an account is at no host', every(accountsOfHosts, gone), /of profiles is not found by its host/],
  ['allowed domains are not counted', every(domainAllows, gone), /allowed domains/],
  ['a local account has six pins', more(pins, 5), /of profiles has 6 entries of pins where 5 may be/],
  ['a reaction is not counted', every(reactionCounts, gone), /of announcement reactions is not counted/],
  [
    'a reader of mails is ahead of them',
    every(mailReaders, (one) => ({ ...one, floor: 1_000 })),
    /of mail readers has read more than there is/,
  ],
  [
    'no mail was numbered',
    every(deliveryMeta, (meta) => ({ ...meta, nextMail: undefined })),
    /of mail log is numbered above the last one/,
  ],
  [
    'very many mails came later',
    every(deliveryMeta, (meta) => ({ ...meta, nextMail: 1_000_000 })),
    /of mail log should have made room for later ones/,
  ],
  [
    'the host of a mail has no number',
    every(mailLog, (mail) => ({ ...mail, host: 9 })),
    /of mail log is for a host that has no number/,
  ],
  [
    'the host of a mail lane has no number',
    every(hostsByNumber, gone),
    /of mail lanes is of a host that has no number/,
  ],
  [
    'a report that no side finds',
    every(listedReports, () => undefined),
    /of reports cannot be found by both of its sides/,
  ],
  [
    'a report that is open, and listed as closed',
    every(reports, (report) => ({ ...report, resolvedAt: 1 })),
    /of listed reports leads to a report that is not listed there/,
  ],
  ['a report that is gone', every(reports, () => undefined), /of open reports leads to a report that is not there/],
  [
    'an appeal that nobody finds',
    every(appeals, () => undefined),
    /of warnings has an appeal that is not listed as what it is/,
  ],
  [
    'an appeal against nothing',
    every(warnings, ({ appeal: _appeal, ...strike }) => strike),
    /of appeals leads to a strike without this appeal/,
  ],
  ['mail of nobody', every(logins, gone), /of mail of account is of an account without a login/],
  [
    'a reader of push messages is ahead of them',
    every(pushReaders, (one) => ({ ...one, floor: 1_000 })),
    /of push readers has read more than there is/,
  ],
  [
    'no push message was numbered',
    every(deliveryMeta, (meta) => ({ ...meta, nextPush: undefined })),
    /of push log is numbered above the last one/,
  ],
  [
    'very many push messages came later',
    every(deliveryMeta, (meta) => ({ ...meta, nextPush: 1_000_000 })),
    /of push log should have made room for later ones/,
  ],
  [
    'the host of a push message has no number',
    every(pushLog, (push) => ({ ...push, host: 9 })),
    /of push log is for a host that has no number/,
  ],
  [
    'the host of a push lane has no number',
    every(hostsByNumber, gone),
    /of push lanes is of a host that has no number/,
  ],
  ['an invite is found by nothing', every(inviteLists, gone), /of invites is missing on a list/],
  ['a list has an invite that is gone', every(invites, gone), /of lists of invites leads to no invite of that list/],
  [
    'nothing ends a reservation of an invite',
    every(invites, (one) => ({ ...one, reserved: [1n] })),
    /of invites waits for reservationDue, which will not come/,
  ],
  [
    'a reader of deliveries is ahead of them',
    every(deliveryReaders, (one) => ({ ...one, floor: 1_000 })),
    /of delivery readers has read more than there is/,
  ],
])('%s', (_what, defect, sentence) => {
  expect(problemsWith(defect)).toMatch(sentence);
});
