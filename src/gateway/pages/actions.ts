/**
 * The buttons of pages: each runs an operation for the signed-in visitor. The answer redirects back to the page, or is
 * the changed part of it for its script (`answer=fragment`).
 *
 * INVARIANT nothing happens without the form token of the signed-in browser.
 */

import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import { dismissAnnouncement } from '../../operations/announcements/dismiss-announcement.ts';
import { reactToAnnouncement, takeReactionBack } from '../../operations/announcements/react.ts';
import { bookmarkStatus, unbookmarkStatus } from '../../operations/interactions/bookmark-status.ts';
import { favouriteStatus } from '../../operations/interactions/favourite-status.ts';
import { muteThread, unmuteThread } from '../../operations/interactions/mute-thread.ts';
import { reblogStatus } from '../../operations/interactions/reblog-status.ts';
import { unfavouriteStatus } from '../../operations/interactions/unfavourite-status.ts';
import { unreblogStatus } from '../../operations/interactions/unreblog-status.ts';
import { voteInPoll } from '../../operations/polls/vote-in-poll.ts';
import { revokeQuote } from '../../operations/quotes/revoke-quote.ts';
import { authorizeFollowRequest } from '../../operations/relationships/authorize-follow-request.ts';
import { blockAccount } from '../../operations/relationships/block-account.ts';
import { endorseAccount, unendorseAccount } from '../../operations/relationships/endorse-account.ts';
import { followAccount } from '../../operations/relationships/follow-account.ts';
import { muteAccount } from '../../operations/relationships/mute-account.ts';
import { noteAccount } from '../../operations/relationships/note-account.ts';
import { rejectFollowRequest } from '../../operations/relationships/reject-follow-request.ts';
import { removeFromFollowers } from '../../operations/relationships/remove-from-followers.ts';
import { unblockAccount } from '../../operations/relationships/unblock-account.ts';
import { unfollowAccount } from '../../operations/relationships/unfollow-account.ts';
import { unmuteAccount } from '../../operations/relationships/unmute-account.ts';
import { decideReply } from '../../operations/replies/decide-reply.ts';
import { revokeReply } from '../../operations/replies/revoke-reply.ts';
import { deleteStatus } from '../../operations/statuses/delete-status.ts';
import { pinStatus, unpinStatus } from '../../operations/statuses/pin-status.ts';
import { dismissSuggestion } from '../../operations/suggestions/dismiss-suggestion.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { redirect } from '../http/answers.ts';
import { queryFields } from '../oauth/forms.ts';
import type { RawRoute } from '../route.ts';
import { shownStatus } from './filtered.ts';
import { ownSummary } from './parts/aside.ts';
import { fragmentHeaders, htmlAnswer } from './parts/document.ts';
import { choiceName } from './parts/poll.ts';
import { relationButtons } from './parts/relations.ts';
import { article } from './parts/status.ts';
import { boostVisibilities } from './parts/status-menu.ts';
import { headOf } from './profile-page.ts';
import { formRoute, type SignedInForm } from './signed-in-form.ts';
import type { Visit } from './visit.ts';

/** Renders the changed parts of the page; for a deleted post nothing. */
type Fragment = (form: SignedInForm, id: Id, place: Id) => Html;

/** Runs the operation of a button on the object in its path. */
type Act = (form: SignedInForm, id: Id) => Promise<unknown>;

function act(path: string, run: Act, fragment: Fragment) {
  return formRoute(path, async (form, context) => {
    const place = queryFields(context.request.query).get('at') ?? '';
    const given = context.pathParameters.id ?? '';
    const id = parseId(given);
    if (id === undefined) throw new Failure('notFound');
    await run(form, id);
    if (form.fields.get('answer') === 'fragment') {
      const { markup } = fragment(form, id, parseId(place) ?? id);
      return htmlAnswer(markup, 200, fragmentHeaders);
    }
    return redirect(wayBack(form, given, place, path.endsWith('/delete')), 303);
  });
}

/** Back to the entry in the list; from the page of a deleted status, to the profile, which says so. */
function wayBack({ returnTo, account }: SignedInForm, id: string, place: string, isGone: boolean): string {
  const [path = '/'] = returnTo.split('#');
  if (path.endsWith(`/${id}`)) return isGone ? `/@${account.profile.username}?done=deleted` : path;
  return /^\d{1,20}$/.test(place) ? `${path}#status-${place}` : path;
}

const statusFragment: Fragment = ({ visit, account }, id, place) => {
  visit.services.presenter.forget(id, account.id);
  const view = shownStatus(visit, id, 'single');
  return html`${view && article(visit, view, place)}${ownPiece(visit, account.id)}`;
};

/** The account of the button, and the visitor: the counts of both may have changed. */
const accountFragment: Fragment = ({ visit, account }, id) => {
  const target = findAccount(visit.services.snapshots, id);
  const buttons = target && relationButtons({ ...visit, account }, target.profile);
  return html`${target && headOf(visit, target)}${buttons}${ownPiece(visit, account.id)}`;
};

function ownPiece(visit: Visit, accountId: Id): Html | undefined {
  const own = findAccount(visit.services.snapshots, accountId);
  return own && ownSummary(visit, own);
}

function boostFor(visibility: (typeof boostVisibilities)[number]) {
  return (form: SignedInForm, { statusId }: { readonly statusId: Id }) => reblogStatus(form, { statusId, visibility });
}

const ofStatus: Readonly<Record<string, (form: SignedInForm, on: { readonly statusId: Id }) => Promise<unknown>>> = {
  favourite: favouriteStatus,
  unfavourite: unfavouriteStatus,
  reblog: reblogStatus,
  unreblog: unreblogStatus,
  bookmark: bookmarkStatus,
  unbookmark: unbookmarkStatus,
  mute: muteThread,
  unmute: unmuteThread,
  ...Object.fromEntries(boostVisibilities.map((one) => [`reblog-${one}`, boostFor(one)])),
  pin: pinStatus,
  unpin: unpinStatus,
  delete: deleteStatus,
};

/** The chosen options, by their positions. */
function vote(form: SignedInForm, pollId: Id): Promise<unknown> {
  const choices = form.fields.all(choiceName(pollId)).map(Number);
  if (choices.length === 0) throw validationFailure('Choose at least one answer', { reason: 'noAnswerChosen' });
  return voteInPoll(form, { pollId, choices });
}

/** The post belongs to somebody else, and quotes one of the visitor's. */
function revoke(form: SignedInForm, quoteId: Id): Promise<unknown> {
  const quote = findStatus(form.services.snapshots, quoteId)?.status.quote;
  if (quote === undefined) throw new Failure('notFound');
  return revokeQuote(form, { statusId: quote.statusId, quoteId });
}

/** Browsers end the lines of a form with two characters. */
function note(form: SignedInForm, accountId: Id): Promise<unknown> {
  const comment = (form.fields.get('note') ?? '').replaceAll('\r\n', '\n');
  return noteAccount(form, { accountId, comment });
}

/** Without a duration until it is taken back. */
function mute(form: SignedInForm, accountId: Id): Promise<unknown> {
  const duration = form.fields.get('duration') ?? '0';
  if (!/^\d{1,9}$/.test(duration)) throw new Failure('badRequest');
  const hideNotifications = form.fields.get('notifies') === undefined;
  return muteAccount(form, { accountId, hideNotifications, durationSeconds: Number(duration) });
}

const ofAccount: Readonly<Record<string, Act>> = {
  'accounts/:id/follow': (form, accountId) => followAccount(form, { accountId, options: {} }),
  'accounts/:id/unfollow': (form, accountId) => unfollowAccount(form, { accountId }),
  'accounts/:id/notify': (form, accountId) => followAccount(form, { accountId, options: { notify: true } }),
  'accounts/:id/stop-notifying': (form, accountId) => followAccount(form, { accountId, options: { notify: false } }),
  'accounts/:id/show-boosts': (form, accountId) => followAccount(form, { accountId, options: { showReblogs: true } }),
  'accounts/:id/hide-boosts': (form, accountId) => followAccount(form, { accountId, options: { showReblogs: false } }),
  'accounts/:id/feature': (form, accountId) => endorseAccount(form, { accountId }),
  'accounts/:id/unfeature': (form, accountId) => unendorseAccount(form, { accountId }),
  'accounts/:id/note': note,
  'accounts/:id/mute': mute,
  'accounts/:id/unmute': (form, accountId) => unmuteAccount(form, { accountId }),
  'accounts/:id/block': (form, accountId) => blockAccount(form, { accountId }),
  'accounts/:id/unblock': (form, accountId) => unblockAccount(form, { accountId }),
  'accounts/:id/remove-follower': (form, accountId) => removeFromFollowers(form, { accountId }),
  'follow-requests/:id/authorize': (form, accountId) => authorizeFollowRequest(form, { accountId }),
  'follow-requests/:id/reject': (form, accountId) => rejectFollowRequest(form, { accountId }),
};

/** These buttons reload the page. */
const nothing: Fragment = () => html``;

const ofSuggestion: Readonly<Record<string, Act>> = {
  dismiss: (form, accountId) => dismissSuggestion(form, { accountId }),
};

/** An emoji, or the name of one of this server, as it is written in texts. */
function reactionIn({ fields }: SignedInForm): string {
  return (fields.get('reaction') ?? '').trim().replace(/^:(.+):$/, '$1');
}

const ofAnnouncement: Readonly<Record<string, Act>> = {
  dismiss: (form, announcementId) => dismissAnnouncement(form, { announcementId }),
  react: (form, announcementId) => reactToAnnouncement(form, { announcementId, name: reactionIn(form) }),
  unreact: (form, announcementId) =>
    takeReactionBack(form, { announcementId, name: form.fields.get('reaction') ?? '' }),
};

export const actRoutes: readonly RawRoute<GatewayServices>[] = [
  ...Object.entries(ofStatus).map(([verb, run]) =>
    act(`/web/statuses/:id/${verb}`, (form, statusId) => run(form, { statusId }), statusFragment),
  ),
  act('/web/statuses/:id/vote', vote, statusFragment),
  act('/web/statuses/:id/original', () => Promise.resolve(), statusFragment),
  act('/web/statuses/:id/revoke', revoke, statusFragment),
  act(
    '/web/statuses/:id/accept-reply',
    (form, replyId) => decideReply(form, { replyId, isAccepted: true }),
    statusFragment,
  ),
  act(
    '/web/statuses/:id/refuse-reply',
    (form, replyId) => decideReply(form, { replyId, isAccepted: false }),
    statusFragment,
  ),
  act('/web/statuses/:id/revoke-reply', (form, replyId) => revokeReply(form, { replyId }), statusFragment),
  ...Object.entries(ofSuggestion).map(([verb, run]) => act(`/web/suggestions/:id/${verb}`, run, nothing)),
  ...Object.entries(ofAnnouncement).map(([verb, run]) => act(`/web/announcements/:id/${verb}`, run, nothing)),
  ...Object.entries(ofAccount).map(([path, run]) => act(`/web/${path}`, run, accountFragment)),
];
