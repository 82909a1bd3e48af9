/**
 * Carries out an activity whose signature held: the one way in, for gateways at once and for network threads after what
 * was missing has been fetched. Every act may come again; the second time changes nothing.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import { Directory } from '../../actors/directory/directory.messages.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Act, Activity } from '../documents/read-activity.ts';
import type { RemoteActor } from '../documents/read-actor.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { type Carried, done, type Inbound, mayBeWaiting, type Outcome, type RemoteSource } from './inbound.ts';
import { receiveEdit, receiveNote } from './notes.ts';
import { findRecord } from './places.ts';
import { profileOf } from './profile.ts';
import { receiveBoost, receiveLike, undoBoost, undoBoostNamed, undoLike } from './reactions.ts';
import {
  receiveAnswer,
  receiveBlock,
  receiveFollow,
  undoBlock,
  undoFollow,
  undoNamedRelationship,
} from './relationships.ts';

/**
 * `actor` is the account that signed, and whose activity it is; `isWithinAuthority` must have said yes. Rejects with
 * Failure overloaded, outcomeUnknown and, where there is a source, remoteUnreachable: then it may be tried again.
 */
export function processActivity(
  inbound: Inbound,
  activity: Activity,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Carried {
  if (actor.isSuspended) return 'dropped';
  const [first, ...others] = activity.acts;
  if (first === undefined) return 'dropped';
  const carried = carryOut(inbound, first, activity.id, actor, source);
  if (typeof carried === 'string' && others.length === 0) return carried;
  return settled(carried, inbound, others, activity.id, actor, source);
}

/** What an actor refuses (a block, a suspension, a status that is gone) is nothing that the sender could change. */
async function settled(
  first: Carried,
  inbound: Inbound,
  others: readonly Act[],
  id: string | undefined,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Promise<Outcome> {
  const outcomes = [await orDropped(first)];
  for (const act of others) {
    outcomes.push(await orDropped(carryOut(inbound, act, id, actor, source)));
  }
  return (
    outcomes.find((outcome) => outcome === 'incomplete') ?? outcomes.find((outcome) => outcome === 'done') ?? 'dropped'
  );
}

async function orDropped(carried: Carried): Promise<Outcome> {
  try {
    return await carried;
  } catch (error) {
    if (error instanceof Failure && (error.code === 'notFound' || error.code === 'forbidden')) return 'dropped';
    throw error;
  }
}

function carryOut(
  inbound: Inbound,
  act: Act,
  id: string | undefined,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Carried {
  switch (act.kind) {
    case 'publish':
      return receiveNote(inbound, act.note, actor, source);
    case 'edit':
      return receiveEdit(inbound, act.note, actor, source);
    case 'publishNamed':
    case 'editNamed':
      return receiveNamed(inbound, act.kind, act.uri, actor, source);
    case 'changeProfile':
      return changeProfile(inbound, act.actor, actor, source);
    case 'delete':
      return receiveDelete(inbound, act.uri, actor, source);
    case 'follow':
      return receiveFollow(inbound, act.followed, id, actor);
    case 'accept':
    case 'reject':
      return receiveAnswer(inbound, act.kind, act.follow, actor);
    case 'like':
      return receiveLike(inbound, act.uri, id, actor);
    case 'boost':
      return receiveBoost(inbound, act, id, actor, source);
    case 'block':
      return receiveBlock(inbound, act.blocked, id, actor);
    case 'undoFollow':
      return undoFollow(inbound, act.follow, actor);
    case 'undoLike':
      return undoLike(inbound, act.object, act.uri, actor);
    case 'undoBoost':
      return undoBoost(inbound, act.object, act.uri, actor, source);
    case 'undoBlock':
      return undoBlock(inbound, act.object, act.uri, actor);
    case 'undoNamed':
      return undoNamed(inbound, act.uri, actor, source);
  }
}

/** The object was not shown: it is fetched where it lives. */
function receiveNamed(
  inbound: Inbound,
  kind: 'publishNamed' | 'editNamed',
  uri: string,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Carried {
  const isKnown = uri === actor.uri || findRecord(inbound, uri) !== undefined;
  // Whom something new concerns only its text would tell, so it has to be somebody who is followed.
  const isWanted = kind === 'editNamed' ? isKnown : !isKnown && hasLocalFollowers(inbound.snapshots, actor.id);
  if (!isWanted) return 'dropped';
  return source === undefined ? 'incomplete' : fetchNamed(inbound, kind, uri, actor, source);
}

async function fetchNamed(
  inbound: Inbound,
  kind: 'publishNamed' | 'editNamed',
  uri: string,
  actor: KnownAccount,
  source: RemoteSource,
): Promise<Outcome> {
  if (uri === actor.uri) return (await source.account(uri)) === undefined ? 'dropped' : 'done';
  const note = await source.note(uri);
  if (note === undefined || note.isVote || !note.authors.includes(actor.uri)) return 'dropped';
  return kind === 'editNamed' ? receiveEdit(inbound, note, actor, source) : receiveNote(inbound, note, actor, source);
}

/** Another name has to be confirmed by the actor's server, so the actor is asked for as if it were new. */
function changeProfile(
  inbound: Inbound,
  changed: RemoteActor,
  actor: KnownAccount,
  source: RemoteSource | undefined,
): Carried {
  const keepsName = changed.username === actor.username;
  if (!keepsName) return receiveNamed(inbound, 'editNamed', actor.uri, actor, source);
  return done(learn(inbound, changed, actor));
}

async function learn({ client, cleanHtml, now }: Inbound, changed: RemoteActor, actor: KnownAccount): Promise<void> {
  const handle = { username: actor.username, host: actor.host };
  const profile = await profileOf(cleanHtml, changed, handle, now(), actor.keyId);
  await client.call(Directory.learn.to(actor.uri, { profile }), flowOfHost(actor.host));
}

function receiveDelete(inbound: Inbound, uri: string, actor: KnownAccount, source: RemoteSource | undefined): Carried {
  if (uri === actor.uri)
    return done(inbound.client.call(Account.remoteAccountDeleted.to(actor.id, {}), flowOfHost(actor.host)));
  const status = findRecord(inbound, uri);
  if (status === undefined && mayBeWaiting(inbound, actor, source)) return 'incomplete';
  inbound.withdrawn.add(actor.uri, uri);
  if (status === undefined || status.accountId !== actor.id) return 'dropped';
  if (status.reblogOfId !== undefined) return undoBoostNamed(inbound, uri, actor) ?? 'dropped';
  return done(inbound.client.call(Account.receiveDelete.to(actor.id, { uri }), flowOfHost(actor.host)));
}

function undoNamed(inbound: Inbound, uri: string, actor: KnownAccount, source: RemoteSource | undefined): Carried {
  const undone = undoNamedRelationship(inbound, uri, actor) ?? undoBoostNamed(inbound, uri, actor);
  if (undone !== undefined) return undone;
  if (mayBeWaiting(inbound, actor, source)) return 'incomplete';
  inbound.withdrawn.add(actor.uri, uri);
  return 'dropped';
}
