/** Which acts of others may be passed on, and which of them anybody here wants. */
import { hasLocalFollowers } from '../../actors/account/remote/federation.queries.ts';
import { statusIdOfUri } from '../../actors/account/statuses/statuses.queries.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import { type Inbound, localAccount } from '../activities/inbound.ts';
import { findRecord, resolveStatus } from '../activities/resolve-status.ts';
import type { Act, Activity } from '../documents/acts.ts';
import type { Audience } from '../documents/audience.ts';
import type { KnownAccount } from '../known-accounts.ts';

/**
 * About one's own statuses and oneself. Follows, likes, blocks and answers are between two accounts: their servers send
 * them, and nobody else.
 */
const passedOnKinds: ReadonlySet<Act['kind']> = new Set([
  ...(['publish', 'publishNamed', 'edit', 'editNamed', 'delete'] as const),
  ...(['changeProfile', 'undoBoost', 'undoNamed', 'move'] as const),
]);

export function isPassedOn({ kind }: Act): boolean {
  return passedOnKinds.has(kind);
}

export function statusOf({ snapshots }: Inbound, uri: string): Id | undefined {
  return statusIdOfUri(snapshots, uri);
}

/** Whether an act, which no follower of its author has to have received, concerns somebody here. */
export function isWanted(inbound: Inbound, act: Act, author: KnownAccount | undefined): boolean {
  const isFollowed = author !== undefined && hasLocalFollowers(inbound.snapshots, author.id);
  switch (act.kind) {
    case 'publish':
      return isFollowed || names(inbound, act.note) || answersSomebody(inbound, act.note.inReplyTo);
    case 'publishNamed':
      return isFollowed || names(inbound, act.audience);
    case 'edit':
      return findRecord(inbound, act.note.uri) !== undefined;
    case 'editNamed':
      return author !== undefined && (act.uri === author.uri ? isFollowed : findRecord(inbound, act.uri) !== undefined);
    case 'delete':
      // Another gateway may be storing the status just now: its author remembers what was deleted before it came.
      return author !== undefined;
    case 'undoBoost':
      return author !== undefined && findRecord(inbound, act.object) !== undefined;
    case 'undoNamed':
      return author !== undefined && findRecord(inbound, act.uri) !== undefined;
    default:
      return isFollowed;
  }
}

function names(inbound: Inbound, { to, cc }: Audience): boolean {
  return [...to, ...cc].some((name) => localAccount(inbound, name) !== undefined);
}

/** A local account, or somebody followed here: the thread is read here. */
function answersSomebody(inbound: Inbound, inReplyTo: string | undefined): boolean {
  const parent = inReplyTo === undefined ? undefined : resolveStatus(inbound, inReplyTo);
  return parent !== undefined && (parent.isLocal || hasLocalFollowers(inbound.snapshots, parent.authorId));
}

/** For an edit that nobody has proved: what is to be fetched from its own server. */
export function namedUpdate(act: Act, actor: string): JsonObject | undefined {
  const object = act.kind === 'edit' ? act.note.uri : act.kind === 'changeProfile' ? actor : undefined;
  const named = act.kind === 'editNamed' ? act.uri : object;
  return named === undefined ? undefined : { type: 'Update', actor, object: named };
}

/** The id of the one status that an activity publishes. */
export function newStatusOf({ acts: [act] }: Activity): string | undefined {
  if (act?.kind === 'publish') return act.note.uri;
  return act?.kind === 'publishNamed' ? act.uri : undefined;
}

/** The id of the one status that an activity changes or deletes. */
export function statusAbout({ acts: [act] }: Activity): string | undefined {
  if (act?.kind === 'edit') return act.note.uri;
  return act?.kind === 'editNamed' || act?.kind === 'delete' ? act.uri : undefined;
}
