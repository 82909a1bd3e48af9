/** From a remote actor document to the profile of its account, with sanitised HTML. */
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { CleanRemoteHtml } from '../../services/clean-remote-html.ts';
import type { RemoteActor, RemoteKey } from '../documents/read-actor.ts';
import { activityLimits } from '../limits.ts';
import type { Handle } from '../webfinger/handle.ts';
import { explicitApproval } from './approval.ts';

/**
 * `handle` is what the actor's server confirmed. `keyId`: the key to store, where the actor has several. Rejects with
 * Failure overloaded when too much HTML waits.
 */
export async function profileOf(
  cleanHtml: CleanRemoteHtml,
  actor: RemoteActor,
  handle: Handle,
  now: number,
  keyId?: string,
): Promise<Profile> {
  const [noteHtml, ...values] = await Promise.all([
    actor.note === '' ? '' : cleanHtml(actor.note),
    ...actor.fields.map(({ value }) => (value === '' ? '' : cleanHtml(value, { profileField: true }))),
  ]);
  return {
    // The directory assigns the id.
    id: 0n,
    username: handle.username,
    domain: handle.host,
    actorType: actor.type,
    displayName: actor.displayName,
    note: noteHtml,
    noteHtml,
    fields: actor.fields.map(({ name }, index) => ({ name, value: values[index]!, html: values[index]! })),
    emojis: [...actor.emojis],
    avatar: actor.avatar,
    header: actor.header,
    avatarDescription: actor.avatarDescription,
    headerDescription: actor.headerDescription,
    locked: actor.locked,
    bot: actor.type === 'Service' || actor.type === 'Application',
    discoverable: actor.discoverable,
    indexable: actor.indexable,
    // Its collections say so (see `fetchFeatured`).
    hideCollections: false,
    createdAt: Math.min(actor.publishedAt ?? now, now),
    updatedAt: now,
    limited: false,
    memorial: actor.memorial,
    alsoKnownAs: [...actor.alsoKnownAs],
    remote: remoteAddresses(actor, keyOf(actor, keyId)),
    role: 'user',
    attributionDomains: [...actor.attributionDomains],
    showMedia: actor.showMedia,
    showMediaReplies: actor.showMediaReplies,
    showFeatured: actor.showFeatured,
    ...(actor.suspended ? { isSuspendedByOrigin: true } : {}),
    featureApproval: explicitApproval(actor.featureApproval, actor),
  };
}

function keyOf(actor: RemoteActor, keyId: string | undefined): RemoteKey {
  return actor.keys.find(({ id }) => id === keyId) ?? actor.keys[0]!;
}

function remoteAddresses(actor: RemoteActor, key: RemoteKey): Profile['remote'] {
  const {
    uri,
    url,
    inbox,
    sharedInbox,
    outbox,
    followers,
    following,
    featured,
    featuredTags,
    movedTo,
    featuredCollections,
  } = actor;
  const publicKey = { publicKeyId: key.id, publicKeyPem: key.text };
  const collections = { outbox, followers, following, featured, featuredTags, featuredCollections };
  const moreKeys = actor.keys.filter(({ id }) => id !== key.id).slice(0, activityLimits.moreKeysMax);
  const more = moreKeys.length === 0 ? {} : { moreKeys };
  return { uri, url, inbox, sharedInbox, ...collections, movedTo, ...publicKey, ...more };
}
