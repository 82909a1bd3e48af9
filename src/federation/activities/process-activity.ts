/**
 * Applies an activity whose signature was verified: on gateways at once, on network threads after missing objects were
 * fetched. Processing is idempotent: an activity may be delivered more than once.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import { Directory } from '../../actors/directory/directory.messages.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Act, Activity } from '../documents/read-activity.ts';
import type { RemoteActor } from '../documents/read-actor.ts';
import type { KnownAccount } from '../known-accounts.ts';
import {
  receiveCollectionItem,
  receiveFeatureAnswer,
  receiveFeatureRequest,
  receiveSharedCollection,
} from './collections.ts';
import { type Applied, done, type Inbound, type Outcome, type RemoteSource, type Stamp } from './inbound.ts';
import { receiveMove } from './moves.ts';
import { receiveEdit, receiveNote } from './notes.ts';
import { receiveFeaturedTag, receivePin } from './pins.ts';
import { receiveVote } from './polls.ts';
import { profileOf } from './profile.ts';
import { receiveQuoteAnswer, receiveQuoteRequest } from './quotes.ts';
import { receiveBoost, receiveLike, undoBoost, undoLike } from './reactions.ts';
import { receiveAnswer, receiveBlock, receiveFollow, undo, undoBlock, undoFollow } from './relationships.ts';
import { receiveReport } from './reports.ts';
import { findRecord } from './resolve-status.ts';

/**
 * `actor` is the account that signed, at `signedAt`, and whose activity it is; `isWithinAuthority` must have returned
 * true. Rejects with Failure overloaded, outcomeUnknown and, where there is a source, remoteUnreachable: then it may be
 * tried again.
 */
export function processActivity(
  inbound: Inbound,
  activity: Activity,
  actor: KnownAccount,
  signedAt: number,
  source: RemoteSource | undefined,
): Applied {
  if (actor.isSuspended && !mayActSuspended(activity, actor)) return 'dropped';
  const [first, ...others] = activity.acts;
  if (first === undefined) return 'dropped';
  const stamp = { uri: activity.id, signedAt };
  const applied = apply(inbound, first, stamp, actor, source);
  if (typeof applied === 'string' && others.length === 0) return applied;
  return settled(applied, inbound, others, stamp, actor, source);
}

/** Accepted from an account that its own server suspended: it may undo, and return. */
const takingBack: ReadonlySet<Act['kind']> = new Set([
  'changeProfile',
  'delete',
  'reject',
  'undoFollow',
  'undoLike',
  'undoBoost',
  'undoBlock',
  'undoNamed',
]);

function mayActSuspended({ acts }: Activity, { isSuspendedByOrigin, uri }: KnownAccount): boolean {
  const isAllowed = (act: Act) => takingBack.has(act.kind) || (act.kind === 'editNamed' && act.uri === uri);
  return isSuspendedByOrigin && acts.every(isAllowed);
}

/** The refusal of an actor (a block, a suspension, a deleted status) is nothing that the sender could change. */
async function settled(
  first: Applied,
  inbound: Inbound,
  others: readonly Act[],
  stamp: Stamp,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Promise<Outcome> {
  const outcomes = [await orDropped(first)];
  for (const act of others) {
    outcomes.push(await orDropped(apply(inbound, act, stamp, actor, source)));
  }
  return (
    outcomes.find((outcome) => outcome === 'incomplete') ?? outcomes.find((outcome) => outcome === 'done') ?? 'dropped'
  );
}

const refusals: ReadonlySet<Failure['code']> = new Set(['notFound', 'forbidden', 'validation']);

async function orDropped(applied: Applied): Promise<Outcome> {
  try {
    return await applied;
  } catch (error) {
    if (error instanceof Failure && refusals.has(error.code)) return 'dropped';
    throw error;
  }
}

function apply(
  inbound: Inbound,
  act: Act,
  stamp: Stamp,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Applied {
  const { signedAt } = stamp;
  switch (act.kind) {
    case 'publish':
      return receiveNote(inbound, act.note, actor, source);
    case 'edit':
      return receiveEdit(inbound, act.note, actor, source, stamp);
    case 'publishNamed':
    case 'editNamed':
      return receiveNamed(inbound, act.kind, act.uri, actor, source, stamp);
    case 'refresh':
      return refreshStatus(inbound, act.uri, source, stamp);
    case 'changeProfile':
      return changeProfile(inbound, act.actor, actor, source, stamp);
    case 'delete':
      return receiveDelete(inbound, act.uri, actor);
    case 'follow':
      return receiveFollow(inbound, act.followed, stamp, actor);
    case 'accept':
    case 'reject':
      return receiveAnswer(inbound, act.kind, act.follow, actor);
    case 'requestQuote':
      return receiveQuoteRequest(inbound, act, stamp, actor, source);
    case 'acceptQuote':
    case 'rejectQuote':
      return receiveQuoteAnswer(inbound, act, actor);
    case 'requestFeature':
      return receiveFeatureRequest(inbound, act, stamp, actor, source);
    case 'acceptFeature':
    case 'rejectFeature':
      return receiveFeatureAnswer(inbound, act, actor);
    case 'shareCollection':
      return receiveSharedCollection(inbound, act, actor, source);
    case 'addCollectionItem':
      return receiveCollectionItem(inbound, act, actor, source);
    case 'like':
      return receiveLike(inbound, act.uri, stamp, actor);
    case 'boost':
      return receiveBoost(inbound, act, stamp, actor, source);
    case 'vote':
      return receiveVote(inbound, act, actor);
    case 'pin':
    case 'unpin':
      return receivePin(inbound, act, actor, source);
    case 'featureTag':
    case 'unfeatureTag':
      return receiveFeaturedTag(inbound, act, actor);
    case 'block':
      return receiveBlock(inbound, act.blocked, stamp, actor);
    case 'move':
      return receiveMove(inbound, act, actor, source);
    case 'report':
      return receiveReport(inbound, act, stamp, actor);
    case 'undoFollow':
      return undoFollow(inbound, act.follow, signedAt, actor);
    case 'undoLike':
      return undoLike(inbound, act.object, { uri: act.uri, signedAt }, actor);
    case 'undoBoost':
      return undoBoost(inbound, act.object, { uri: act.uri, signedAt }, actor);
    case 'undoBlock':
      return undoBlock(inbound, act.object, { uri: act.uri, signedAt }, actor);
    case 'undoNamed':
      return undo(inbound, { uri: act.uri, signedAt }, undefined, actor);
  }
}

/** The object was referred to by its address only: it is fetched from its server. */
function receiveNamed(
  inbound: Inbound,
  kind: 'publishNamed' | 'editNamed',
  uri: string,
  actor: KnownAccount,
  source: RemoteSource | undefined,
  stamp: Stamp,
): Applied {
  const isKnown = uri === actor.uri || findRecord(inbound, uri) !== undefined;
  // Only its text would tell whom a new status concerns, so it is fetched only if its author is followed here.
  const isWanted = kind === 'editNamed' ? isKnown : !isKnown && hasLocalFollowers(inbound.snapshots, actor.id);
  if (!isWanted) return 'dropped';
  return source === undefined ? 'incomplete' : fetchNamed(inbound, kind, uri, actor, source, stamp);
}

async function fetchNamed(
  inbound: Inbound,
  kind: 'publishNamed' | 'editNamed',
  uri: string,
  actor: KnownAccount,
  source: RemoteSource,
  stamp: Stamp,
): Promise<Outcome> {
  if (uri === actor.uri) return (await source.account(uri)) === undefined ? 'dropped' : 'done';
  const note = await source.note(uri);
  if (note === undefined || note.isVote || !note.authors.includes(actor.uri)) return 'dropped';
  return kind === 'editNamed'
    ? receiveEdit(inbound, note, actor, source, stamp)
    : receiveNote(inbound, note, actor, source);
}

/** The edit is attributed to its author, because it is fetched from the server of the status. */
function refreshStatus(inbound: Inbound, uri: string, source: RemoteSource | undefined, stamp: Stamp): Applied {
  if (inbound.addresses.isLocal(uri) || findRecord(inbound, uri) === undefined) return 'dropped';
  return source === undefined ? 'incomplete' : fetchEdit(inbound, uri, source, stamp);
}

async function fetchEdit(inbound: Inbound, uri: string, source: RemoteSource, stamp: Stamp): Promise<Outcome> {
  const note = await source.note(uri);
  const author = note === undefined ? undefined : inbound.accounts.find(note.authors[0]!);
  return note === undefined || author === undefined ? 'dropped' : receiveEdit(inbound, note, author, source, stamp);
}

/** A changed username must be confirmed by the actor's server: the actor is fetched as if it were unknown. */
function changeProfile(
  inbound: Inbound,
  changed: RemoteActor,
  actor: KnownAccount,
  source: RemoteSource | undefined,
  stamp: Stamp,
): Applied {
  const keepsName = changed.username === actor.username;
  if (!keepsName) return receiveNamed(inbound, 'editNamed', actor.uri, actor, source, stamp);
  return done(learn(inbound, changed, actor));
}

async function learn({ client, cleanHtml, now }: Inbound, changed: RemoteActor, actor: KnownAccount): Promise<void> {
  const handle = { username: actor.username, host: actor.host };
  const profile = await profileOf(cleanHtml, changed, handle, now(), actor.keyId);
  await client.call(Directory.learn.to(actor.uri, { profile }), flowOfHost(actor.host));
}

/** Also for an unknown status: it may be on its way. */
function receiveDelete({ client }: Inbound, uri: string, actor: KnownAccount): Applied {
  const message =
    uri === actor.uri ? Account.remoteAccountDeleted.to(actor.id, {}) : Account.receiveDelete.to(actor.id, { uri });
  return done(client.call(message, flowOfHost(actor.host)));
}
