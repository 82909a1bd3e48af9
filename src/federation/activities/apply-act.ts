/** What each kind of act does here. */
import { Account } from '../../actors/account/account.messages.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Act, ActOf } from '../documents/acts.ts';
import type { KnownAccount } from '../known-accounts.ts';
import {
  receiveCollectionItem,
  receiveFeatureAnswer,
  receiveFeatureRequest,
  receiveSharedCollection,
} from './collections.ts';
import { type Applied, done, type Inbound, type Received } from './inbound.ts';
import { receiveMove } from './moves.ts';
import { receiveNamed, refreshStatus } from './named-objects.ts';
import { receiveEdit, receiveNote } from './notes.ts';
import { receiveFeaturedTag, receivePin } from './pins.ts';
import { receiveVote } from './polls.ts';
import { receiveProfile } from './profile-changes.ts';
import { receiveQuoteAnswer, receiveQuoteRequest } from './quotes.ts';
import { receiveBoost, receiveLike, undoBoost, undoLike } from './reactions.ts';
import { receiveAnswer, receiveBlock, receiveFollow, undo, undoBlock, undoFollow } from './relationships.ts';
import { receiveReport } from './reports.ts';

const appliers: { readonly [Kind in Act['kind']]: (act: ActOf<Kind>, received: Received) => Applied } = {
  publish: ({ note }, { inbound, actor, source }) => receiveNote(inbound, note, actor, source),
  edit: ({ note }, { inbound, stamp, actor, source }) => receiveEdit(inbound, note, actor, source, stamp),
  publishNamed: applyNamed,
  editNamed: applyNamed,
  refresh: ({ uri }, { inbound, stamp, source }) => refreshStatus(inbound, uri, source, stamp),
  changeProfile: (act, { inbound, stamp, actor, source }) => receiveProfile(inbound, act.actor, actor, source, stamp),
  delete: ({ uri }, { inbound, actor }) => receiveDelete(inbound, uri, actor),
  follow: ({ followed }, { inbound, stamp, actor }) => receiveFollow(inbound, followed, stamp, actor),
  accept: applyAnswer,
  reject: applyAnswer,
  requestQuote: (act, { inbound, stamp, actor, source }) => receiveQuoteRequest(inbound, act, stamp, actor, source),
  acceptQuote: applyQuoteAnswer,
  rejectQuote: applyQuoteAnswer,
  requestFeature: (act, { inbound, stamp, actor, source }) => receiveFeatureRequest(inbound, act, stamp, actor, source),
  acceptFeature: applyFeatureAnswer,
  rejectFeature: applyFeatureAnswer,
  shareCollection: (act, { inbound, actor, source }) => receiveSharedCollection(inbound, act, actor, source),
  addCollectionItem: (act, { inbound, actor, source }) => receiveCollectionItem(inbound, act, actor, source),
  like: ({ uri }, { inbound, stamp, actor }) => receiveLike(inbound, uri, stamp, actor),
  boost: (act, { inbound, stamp, actor, source }) => receiveBoost(inbound, act, stamp, actor, source),
  vote: (act, { inbound, actor }) => receiveVote(inbound, act, actor),
  pin: applyPin,
  unpin: applyPin,
  featureTag: applyFeaturedTag,
  unfeatureTag: applyFeaturedTag,
  block: ({ blocked }, { inbound, stamp, actor }) => receiveBlock(inbound, blocked, stamp, actor),
  move: (act, { inbound, actor, source }) => receiveMove(inbound, act, actor, source),
  report: (act, { inbound, stamp, actor }) => receiveReport(inbound, act, stamp, actor),
  undoFollow: ({ follow }, { inbound, stamp, actor }) => undoFollow(inbound, follow, stamp.signedAt, actor),
  undoLike: ({ object, uri }, { inbound, stamp, actor }) => undoLike(inbound, object, { ...stamp, uri }, actor),
  undoBoost: ({ object, uri }, { inbound, stamp, actor }) => undoBoost(inbound, object, { ...stamp, uri }, actor),
  undoBlock: ({ object, uri }, { inbound, stamp, actor }) => undoBlock(inbound, object, { ...stamp, uri }, actor),
  undoNamed: ({ uri }, { inbound, stamp, actor }) => undo(inbound, { ...stamp, uri }, undefined, actor),
};

/** As `processActivity`, for one act. */
export function applyAct(act: Act, received: Received): Applied {
  const apply = appliers[act.kind] as (act: Act, received: Received) => Applied;
  return apply(act, received);
}

function applyNamed(
  { kind, uri }: ActOf<'publishNamed' | 'editNamed'>,
  { inbound, stamp, actor, source }: Received,
): Applied {
  return receiveNamed(inbound, kind, uri, actor, source, stamp);
}

function applyAnswer({ kind, follow }: ActOf<'accept' | 'reject'>, { inbound, actor }: Received): Applied {
  return receiveAnswer(inbound, kind, follow, actor);
}

function applyQuoteAnswer(act: ActOf<'acceptQuote' | 'rejectQuote'>, { inbound, actor }: Received): Applied {
  return receiveQuoteAnswer(inbound, act, actor);
}

function applyFeatureAnswer(act: ActOf<'acceptFeature' | 'rejectFeature'>, { inbound, actor }: Received): Applied {
  return receiveFeatureAnswer(inbound, act, actor);
}

function applyPin(act: ActOf<'pin' | 'unpin'>, { inbound, actor, source }: Received): Applied {
  return receivePin(inbound, act, actor, source);
}

function applyFeaturedTag(act: ActOf<'featureTag' | 'unfeatureTag'>, { inbound, actor }: Received): Applied {
  return receiveFeaturedTag(inbound, act, actor);
}

/** Also for an unknown status: it may be on its way. */
function receiveDelete({ client }: Inbound, uri: string, actor: KnownAccount): Applied {
  const message =
    uri === actor.uri ? Account.remoteAccountDeleted.to(actor.id, {}) : Account.receiveDelete.to(actor.id, { uri });
  return done(client.call(message, flowOfHost(actor.host)));
}
