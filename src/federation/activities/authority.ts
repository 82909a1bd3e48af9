/**
 * The authority of an actor: its own activities about its own objects, with ids on its own host. Embedded objects of
 * other hosts are not trusted: they are fetched from their servers.
 */
import type { Act, Activity } from '../documents/acts.ts';
import type { RemoteCollection } from '../documents/read-collection.ts';
import { isSameHost } from '../documents/values.ts';

/** Whether the activity's id, and everything that it claims to have created or changed, belongs to the actor. */
export function isWithinAuthority({ id, actor, acts }: Activity): boolean {
  if (id !== undefined && !isSameHost(id, actor)) return false;
  return acts.every((act) => isOwn(act, actor));
}

function isOwn(act: Act, actor: string): boolean {
  switch (act.kind) {
    case 'publish':
    case 'edit':
      return isSameHost(act.note.uri, actor) && act.note.authors.includes(actor);
    case 'requestQuote':
    case 'requestReply':
      return act.note === undefined || (isSameHost(act.note.uri, actor) && act.note.authors.includes(actor));
    case 'requestFeature':
      return act.collection === undefined || isCuratedBy(act.collection, actor);
    case 'shareCollection':
      return isCuratedBy(act.collection, actor);
    case 'addCollectionItem':
      return isSameHost(act.item.uri, actor);
    case 'changeProfile':
      return act.actor.uri === actor;
    case 'vote':
    case 'publishNamed':
    case 'editNamed':
    case 'delete':
      return isSameHost(act.uri, actor);
    // These state only what the actor itself does; what is to be refreshed is fetched from its own server, and what is
    // pinned must be the actor's own where the collection is the featured one.
    case 'refresh':
    case 'pin':
    case 'unpin':
    case 'follow':
    case 'accept':
    case 'reject':
    case 'acceptQuote':
    case 'rejectQuote':
    case 'acceptReply':
    case 'rejectReply':
    case 'acceptFeature':
    case 'rejectFeature':
    case 'like':
    case 'boost':
    case 'block':
    case 'featureTag':
    case 'unfeatureTag':
    case 'undoAccept':
    case 'undoFollow':
    case 'undoLike':
    case 'undoBoost':
    case 'undoBlock':
    case 'undoNamed':
    case 'report':
    case 'move':
      return true;
  }
}

function isCuratedBy({ uri, owner }: RemoteCollection, actor: string): boolean {
  return isSameHost(uri, actor) && owner === actor;
}
