/** Local accounts and the server itself as actors (ActivityPub, section 4). Without `@context`. */
import type { KeyPair, Profile } from '../../actors/account/profile/profile.records.ts';
import { featureApprovalOf } from '../../actors/policy/featuring.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { proofKeyMultibase } from '../../outbound/signatures/proof-keys.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import {
  featuredCollectionsAddress,
  instanceInbox,
  instanceKeyId,
  instanceOutbox,
  proofKeyIdOf,
} from '../local-addresses.ts';
import { approverAddresses } from './approvers.ts';
import { accountAddress } from './note-document.ts';
import { emojiTag, imageDocument } from './pictures.ts';
import { secondsTime } from './times.ts';
import { messageSignatures } from './vocabulary.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * A suspended account is published with that fact only: other servers suspend it too, and restore it when the property
 * disappears (as Mastodon does).
 */
export function actorDocument(
  reader: Reader,
  addresses: Addresses,
  profile: Profile,
  { publicKeyPem, privateKeyPem }: KeyPair,
): JsonObject {
  const { username } = profile;
  const id = addresses.actor(username);
  return {
    id,
    type: profile.actorType,
    preferredUsername: username,
    webfinger: `${username}@${addresses.domain}`,
    url: addresses.profile(username),
    // Rounded to the day, for privacy.
    published: secondsTime(profile.createdAt - (profile.createdAt % dayMilliseconds)),
    manuallyApprovesFollowers: profile.locked,
    ...(profile.suspendedAt === undefined ? aboutOf(reader, addresses, profile) : { suspended: true, ...nothingAbout }),
    inbox: addresses.inbox(username),
    outbox: addresses.outbox(username),
    followers: addresses.followers(username),
    following: addresses.following(username),
    featured: addresses.featured(username),
    featuredTags: addresses.featuredTags(username),
    featuredCollections: featuredCollectionsAddress(addresses, username),
    endpoints: { sharedInbox: addresses.sharedInbox },
    publicKey: { id: addresses.keyId(username), owner: id, publicKeyPem },
    assertionMethod: [
      {
        id: proofKeyIdOf(addresses, username),
        type: 'Multikey',
        controller: id,
        publicKeyMultibase: proofKeyMultibase(privateKeyPem),
      },
    ],
    generator: { type: 'Application', implements: [messageSignatures] },
  };
}

const nothingAbout = { name: '', summary: '', attachment: [], tag: [] };

/** The profile of an account. */
function aboutOf(reader: Reader, addresses: Addresses, profile: Profile): JsonObject {
  const addressOf = (accountId: Id) => accountAddress(reader, addresses, accountId);
  const movedTo = profile.movedTo === undefined ? undefined : addressOf(profile.movedTo);
  return {
    name: profile.displayName,
    summary: addresses.absoluteLinks(profile.noteHtml),
    ...(profile.discoverable === undefined ? {} : { discoverable: profile.discoverable }),
    indexable: profile.indexable,
    memorial: profile.memorial,
    alsoKnownAs: (profile.aliasIds ?? []).flatMap((accountId) => addressOf(accountId) ?? []),
    ...(profile.attributionDomains?.length ? { attributionDomains: profile.attributionDomains } : {}),
    showMedia: profile.showMedia ?? true,
    showRepliesInMedia: profile.showMediaReplies ?? true,
    showFeatured: profile.showFeatured ?? true,
    interactionPolicy: { canFeature: { automaticApproval: featurers(addresses, profile) } },
    ...(movedTo === undefined ? {} : { movedTo }),
    attachment: profile.fields.map(({ name, html }) => ({
      type: 'PropertyValue',
      name,
      value: addresses.absoluteLinks(html),
    })),
    tag: profile.emojis.map((emoji) => emojiTag(emoji, addresses)),
    ...(profile.avatar === undefined
      ? {}
      : { icon: imageDocument(addresses, profile.avatar, profile.avatarDescription) }),
    ...(profile.header === undefined
      ? {}
      : { image: imageDocument(addresses, profile.header, profile.headerDescription) }),
  };
}

/** Who may add the account to a collection (FEP-7aa9). */
function featurers(addresses: Addresses, profile: Profile): string[] {
  return approverAddresses(addresses, featureApprovalOf(profile)?.automatic ?? [], profile.username);
}

/** The actor in whose name the server itself signs. It follows nobody and cannot be followed. */
export function instanceActorDocument(addresses: Addresses, publicKeyPem: string): JsonObject {
  const id = addresses.instanceActor;
  return {
    id,
    type: 'Application',
    preferredUsername: addresses.domain,
    webfinger: `${addresses.domain}@${addresses.domain}`,
    url: `${addresses.origin}/`,
    manuallyApprovesFollowers: true,
    inbox: instanceInbox(addresses),
    outbox: instanceOutbox(addresses),
    endpoints: { sharedInbox: addresses.sharedInbox },
    publicKey: { id: instanceKeyId(addresses), owner: id, publicKeyPem },
    implements: [messageSignatures],
  };
}
