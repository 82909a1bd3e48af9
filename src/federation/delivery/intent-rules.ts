/**
 * What lanes need to know about an intent: its order key, what it supersedes, how long it is worth sending, and whether
 * it is urgent. Pure.
 */
import type { Intent } from '../../actors/intents.ts';
import { digestOfName } from '../../runtime/ids.ts';
import { deliveryLimits } from './limits.ts';

/**
 * Intents with the same key are delivered to a host in order. All relationships between two accounts share one key, and
 * so do all likes, or all reblogs, of one status by one account, with their Undo: receivers undo by (actor, object). An
 * accidental collision of keys causes a wait and nothing else.
 */
export function orderKeyOf(intent: Intent): bigint {
  switch (intent.kind) {
    case 'create':
    case 'update':
    case 'delete':
    case 'pin':
    case 'unpin':
    case 'quoteRequest':
    case 'replyRequest':
      return intent.statusId;
    case 'revokeQuote':
      return intent.quoteId;
    case 'revokeReply':
      return intent.replyId;
    case 'announce':
    case 'undoAnnounce':
      return intent.actorId ^ (intent.statusId << 2n);
    case 'like':
    case 'undoLike':
      return intent.actorId ^ (intent.statusId << 1n);
    case 'vote':
      return intent.actorId ^ (intent.statusId << 3n);
    case 'updateAccount':
    case 'updateRelay':
    case 'deleteAccount':
    case 'featureTag':
    case 'unfeatureTag':
    case 'move':
      return intent.actorId;
    case 'featureRequest':
    case 'acceptFeature':
    case 'rejectFeature':
    case 'revokeFeaturing':
    case 'addCollection':
    case 'updateCollection':
    case 'removeCollection':
    case 'addCollectionItem':
    case 'removeCollectionItem':
      return intent.collectionId;
    case 'followRelay':
    case 'unfollowRelay':
      return intent.followId;
    case 'acceptSubscription':
    case 'rejectSubscription':
    case 'followSubscriber':
    case 'unfollowSubscriber':
      return digestOfName(intent.follower).readBigUInt64BE();
    default:
      return intent.actorId ^ (intent.targetId << 1n);
  }
}

/** Whether no earlier intent can have the same key. */
export function isFirstOfItsKind(kind: Intent['kind']): boolean {
  return kind === 'create';
}

const urgentKinds: ReadonlySet<Intent['kind']> = new Set([
  'create',
  'follow',
  'undoFollow',
  'acceptFollow',
  'rejectFollow',
  'block',
  'undoBlock',
  'quoteRequest',
  'acceptQuote',
  'rejectQuote',
  'replyRequest',
  'acceptReply',
  'rejectReply',
  'featureRequest',
  'acceptFeature',
  'rejectFeature',
  'acceptSubscription',
  'rejectSubscription',
  'followSubscriber',
  'followRelay',
]);

/** Whether an account that is addressed by name waits for it: it is sent before deliveries to followers in general. */
export function isUrgent(kind: Intent['kind']): boolean {
  return urgentKinds.has(kind);
}

/** Intents that end something, or decide about it. */
const endingKinds: ReadonlySet<Intent['kind']> = new Set([
  ...(['delete', 'deleteAccount', 'undoAnnounce', 'undoLike', 'undoFollow', 'undoBlock'] as const),
  ...(['acceptFollow', 'rejectFollow', 'block', 'move', 'revokeQuote', 'revokeReply'] as const),
  ...(['revokeFeaturing', 'removeCollection', 'removeCollectionItem'] as const),
  ...(['acceptSubscription', 'rejectSubscription', 'unfollowSubscriber', 'unfollowRelay'] as const),
]);

/** How long after the act it is still sent. */
export function lifetimeMillisecondsOf(kind: Intent['kind']): number {
  if (kind === 'like' || kind === 'announce') return deliveryLimits.reactionLifetimeMilliseconds;
  return endingKinds.has(kind) ? deliveryLimits.endLifetimeMilliseconds : deliveryLimits.lifetimeMilliseconds;
}

/**
 * What a later intent does to an earlier one that its host has not got: 'both' means that neither needs to be sent,
 * 'earlier' that the later one is sufficient.
 */
export function superseded(later: Intent, earlier: Intent): 'both' | 'earlier' | undefined {
  switch (later.kind) {
    case 'delete':
      if (earlier.kind === 'create' && earlier.statusId === later.statusId) return 'both';
      return (earlier.kind === 'update' || isAboutPin(earlier)) && earlier.statusId === later.statusId
        ? 'earlier'
        : undefined;
    case 'pin':
    case 'unpin':
      return isAboutPin(earlier) && earlier.statusId === later.statusId ? 'earlier' : undefined;
    case 'update':
      return earlier.kind === 'update' && earlier.statusId === later.statusId ? 'earlier' : undefined;
    case 'updateCollection':
      return earlier.kind === 'updateCollection' && earlier.collectionId === later.collectionId ? 'earlier' : undefined;
    case 'deleteAccount':
      // To its followers, and again to all servers.
      if (earlier.kind === 'deleteAccount' && earlier.actorId === later.actorId) return 'earlier';
      return isPlainUpdate(earlier) && earlier.actorId === later.actorId ? 'earlier' : undefined;
    case 'updateAccount':
      return isPlainUpdate(earlier) && earlier.actorId === later.actorId ? 'earlier' : undefined;
    case 'undoAnnounce':
      return earlier.kind === 'announce' && earlier.reblogId === later.reblogId ? 'both' : undefined;
    case 'undoLike':
      return earlier.kind === 'like' && earlier.favouriteId === later.favouriteId ? 'both' : undefined;
    case 'undoFollow':
      return earlier.kind === 'follow' && earlier.followId === later.followId ? 'both' : undefined;
    case 'unfollowRelay':
      return earlier.kind === 'followRelay' && earlier.followId === later.followId ? 'both' : undefined;
    case 'undoBlock':
      return earlier.kind === 'block' && earlier.blockId === later.blockId ? 'both' : undefined;
    default:
      return undefined;
  }
}

/** One that a later one makes superfluous: not if it brings the key with which that is signed. */
function isPlainUpdate(intent: Intent): boolean {
  return intent.kind === 'updateAccount' && intent.tellsOfKey !== true;
}

type PinIntent = Extract<Intent, { kind: 'pin' | 'unpin' }>;

function isAboutPin(intent: Intent): intent is PinIntent {
  return intent.kind === 'pin' || intent.kind === 'unpin';
}
