/** What each kind of act does here. */
import { Account } from '../../actors/account/account.messages.ts';
import type { Act, ActOf } from '../documents/acts.ts';
import {
  receiveCollectionItem,
  receiveFeatureAnswer,
  receiveFeatureRequest,
  receiveSharedCollection,
} from './collections.ts';
import { type Applied, callFor, type Received } from './inbound.ts';
import { receiveMove } from './moves.ts';
import { receiveNamed, refreshStatus } from './named-objects.ts';
import { receiveEdit, receiveNote } from './notes.ts';
import { receiveFeaturedTag, receivePin } from './pins.ts';
import { receiveVote } from './polls.ts';
import { receiveProfile } from './profile-changes.ts';
import { receiveQuoteAnswer, receiveQuoteRequest } from './quotes.ts';
import { receiveBoost, receiveLike, undoBoost, undoLike } from './reactions.ts';
import { receiveAnswer, receiveBlock, receiveFollow, undoBlock, undoFollow, undoNamed } from './relationships.ts';
import { receiveReplyAnswer, receiveReplyRequest } from './replies.ts';
import { receiveReport } from './reports.ts';

const appliers: { readonly [Kind in Act['kind']]: (received: Received, act: ActOf<Kind>) => Applied } = {
  publish: (received, { note }) => receiveNote(received, note),
  edit: (received, { note }) => receiveEdit(received, note),
  publishNamed: receiveNamed,
  editNamed: receiveNamed,
  refresh: refreshStatus,
  changeProfile: receiveProfile,
  delete: receiveDelete,
  follow: receiveFollow,
  accept: receiveAnswer,
  reject: receiveAnswer,
  requestQuote: receiveQuoteRequest,
  acceptQuote: receiveQuoteAnswer,
  rejectQuote: receiveQuoteAnswer,
  requestReply: receiveReplyRequest,
  acceptReply: receiveReplyAnswer,
  rejectReply: receiveReplyAnswer,
  requestFeature: receiveFeatureRequest,
  acceptFeature: receiveFeatureAnswer,
  rejectFeature: receiveFeatureAnswer,
  shareCollection: receiveSharedCollection,
  addCollectionItem: receiveCollectionItem,
  like: receiveLike,
  boost: receiveBoost,
  vote: receiveVote,
  pin: receivePin,
  unpin: receivePin,
  featureTag: receiveFeaturedTag,
  unfeatureTag: receiveFeaturedTag,
  block: receiveBlock,
  move: receiveMove,
  report: receiveReport,
  undoAccept: receiveAnswer,
  undoFollow,
  undoLike,
  undoBoost,
  undoBlock,
  undoNamed,
};

/** As `processActivity`, for one act. */
export function applyAct(received: Received, act: Act): Applied {
  const apply = appliers[act.kind] as (received: Received, act: Act) => Applied;
  return apply(received, act);
}

/** Also for an unknown status: it may be on its way. */
function receiveDelete(received: Received, { uri }: ActOf<'delete'>): Applied {
  const { actor } = received;
  const message =
    uri === actor.uri ? Account.remoteAccountDeleted.to(actor.id, {}) : Account.receiveDelete.to(actor.id, { uri });
  return callFor(received, message);
}
