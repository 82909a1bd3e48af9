/**
 * A status and an account as cached in a gateway thread: the facts that decide whether they are shown, with their
 * encoded form. An object is one version: when anything about it changes, it leaves the cache and a new one is created.
 */

import type { Visibility } from '../../actors/account/account.records.ts';
import type { Card } from '../../actors/account/cards/cards.records.ts';
import type { AccountCounters, Profile } from '../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import type { Quote } from '../../actors/account/quotes/quotes.records.ts';
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import type { HeldReply } from '../../actors/account/statuses/held-reply.records.ts';
import type { Mention, Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Asker } from '../../actors/policy/approval.ts';
import {
  type Featurability,
  type FeaturePermission,
  featurabilityOf,
  permissionAmong,
} from '../../actors/policy/featuring.ts';
import type { RepliableStatus } from '../../actors/policy/replies.ts';
import type { Id } from '../../runtime/ids.ts';
import type { ShownCollection } from './collections.ts';
import { highHalf, lowHalf } from './id-map.ts';
import { type Quotability, quotabilityOf, quoteOf } from './quotes.ts';
import { attributedCardOf, hasPersonalPart, showsOthers } from './viewer-parts.ts';
import type { ViewerState } from './viewer-state.ts';

/** The encoded form of a status or an account: bytes, as a rule. */
export interface Encoded {
  readonly length: number;
}

/** The encoded forms that the presentation caches and returns: the interface that shows them chooses them. */
export interface EncodedForms {
  readonly status: Encoded;
  readonly account: Encoded;
  /** The viewer state of a status. */
  readonly state: unknown;
}

/** The input of an encoded status. */
export interface EncodableView extends Pick<StatusView, 'status' | 'counters' | 'tally'> {
  readonly author: { readonly profile: AuthorNames };
}

/** Facts about the author of a status; `domain` and `remote` are undefined for a local account. */
export type AuthorNames = Pick<Profile, 'username' | 'domain' | 'remote'>;

/** How cached objects are encoded: once per version, for all viewers. */
export interface Encoder<Forms extends EncodedForms> {
  status(view: EncodableView): Forms['status'];
  account(view: AccountView): Forms['account'];
  /** Gives the encoded account other counters. */
  countAccount(body: Forms['account'], counters: AccountCounters): void;
  /** The collections that a status links to, as one viewer sees them: not cached. */
  collections(collections: readonly ShownCollection[]): Forms['status'];
  /** The card of a link by the account, which is undefined where it is not shown. Not cached either. */
  card(card: AttributedCard, author: CachedAccount<Forms> | undefined, isMissing: boolean): Forms['status'];
  /** Undefined for viewers who are not signed in. */
  viewerState(state: ViewerState | undefined): Forms['state'];
}

/** A card whose page names an account (card-authors.ts), and how the status links to the page: a status `by` whom. */
export interface AttributedCard {
  readonly card: Card;
  readonly link: string;
  readonly by: AuthorNames;
}

/**
 * The memory of an account besides its encoded form, with the form for the account itself; that of a status besides its
 * encoded form, and of each of its mentions and tags (measured).
 */
const accountBytes = 600;
const statusBytes = 900;
const mentionBytes = 600;
const tagBytes = 100;

/** What decides whether others are shown an account. */
export interface AccountFacts {
  readonly isSuspended: boolean;
  readonly isLimited: boolean;
  /** By its own server. */
  readonly isDeleted: boolean;
  /** Undefined for a local account. */
  readonly domain: string | undefined;
  /** All its media are shown as sensitive to others. */
  readonly isSensitized: boolean;
}

export function factsOf({ suspendedAt, limited, deletedRemotelyAt, domain, sensitized }: Profile): AccountFacts {
  const [isSuspended, isDeleted] = [suspendedAt !== undefined, deletedRemotelyAt !== undefined];
  return { isSuspended, isLimited: limited, isDeleted, domain, isSensitized: sensitized === true };
}

/** About the memory of the facts about an account. */
const factsBytes = 200;

/** The facts about an account of which nothing else is cached. */
export class CachedFacts implements AccountFacts {
  readonly isSuspended: boolean;
  readonly isLimited: boolean;
  readonly isDeleted: boolean;
  readonly domain: string | undefined;
  readonly isSensitized: boolean;
  readonly bytes = factsBytes;
  /** False as soon as the cache has dropped it. */
  isCurrent = true;

  constructor({ isSuspended, isLimited, isDeleted, domain, isSensitized }: AccountFacts) {
    this.isSuspended = isSuspended;
    this.isLimited = isLimited;
    this.isDeleted = isDeleted;
    this.domain = domain;
    this.isSensitized = isSensitized;
  }

  dropped(): void {
    this.isCurrent = false;
  }
}

/** The part of a profile that decides how the account is shown. */
interface AccountTraits {
  readonly id: Id;
  readonly facts: AccountFacts;
  readonly featurability: Featurability;
  readonly username: string;
}

export function traitsOf(profile: Profile): AccountTraits {
  const { id, username } = profile;
  return { id, facts: factsOf(profile), featurability: featurabilityOf(profile), username };
}

export class CachedAccount<Forms extends EncodedForms> implements AccountFacts {
  /**
   * The same for all forms of the account, and for its earlier versions: those differ in counters at most, and show
   * the newer ones.
   */
  readonly body: Forms['account'];
  /** The viewer's permission to feature it; of the account as cached, that of a signed-in stranger. */
  readonly permission: FeaturePermission;
  readonly isSuspended: boolean;
  readonly isLimited: boolean;
  readonly isDeleted: boolean;
  readonly domain: string | undefined;
  readonly isSensitized: boolean;
  readonly bytes: number;
  /** Whether a follow decides who may feature it. */
  readonly asksForFollow: boolean;
  /** Whether it is a public account (`findPublicAccount`), once that was looked up. */
  isPublic: boolean | undefined;
  /** False as soon as the cache has dropped it. */
  isCurrent = true;
  /** False if the counters in its encoded form are outdated; nobody was shown this version then. */
  isCounted = true;
  readonly traits: AccountTraits;
  private forms: CachedAccount<Forms>[] | undefined;

  constructor(traits: AccountTraits, body: Forms['account'], permission = permissionOfStrangers(traits)) {
    this.body = body;
    this.permission = permission;
    const { isSuspended, isLimited, isDeleted, domain, isSensitized } = traits.facts;
    this.isSuspended = isSuspended;
    this.isLimited = isLimited;
    this.isDeleted = isDeleted;
    this.domain = domain;
    this.isSensitized = isSensitized;
    this.isPublic = undefined;
    this.bytes = body.length + accountBytes;
    this.asksForFollow = traits.featurability.asksForFollow;
    this.traits = traits;
    this.forms = undefined;
  }

  dropped(): void {
    this.isCurrent = false;
    for (const form of this.forms ?? []) form.isCurrent = false;
  }

  /**
   * The account as this viewer is shown it: `feature_approval` differs between viewers. Almost all viewers share one
   * object; another form is made once for each permission that differs from a stranger's.
   */
  asSeenBy(viewer: Asker | undefined): CachedAccount<Forms> {
    const { id, featurability } = this.traits;
    if (this.isSuspended) return this;
    if (viewer !== undefined && !this.asksForFollow && viewer.accountId !== id) return this;
    const permission = permissionAmong(featurability, id, viewer ?? nobody);
    return permission === this.permission ? this : this.formWith(permission);
  }

  private formWith(permission: FeaturePermission): CachedAccount<Forms> {
    const known = this.forms?.find((form) => form.permission === permission);
    if (known !== undefined) return known;
    const form = new CachedAccount(this.traits, this.body, permission);
    form.isCurrent = this.isCurrent;
    // Usually the only one, and an array that grows keeps room for more.
    this.forms = this.forms === undefined ? [form] : [...this.forms, form];
    return form;
  }
}

/** Nobody may feature a suspended account. */
function permissionOfStrangers({ facts, featurability }: AccountTraits): FeaturePermission {
  return facts.isSuspended ? 'denied' : featurability.stranger;
}

const nobody: Asker = { accountId: undefined, follows: () => false, isFollowedBy: () => false };

/** What decides who may reply. */
function repliableOf({ accountId, mentions, inReplyToAccountId, replyApproval }: Status): RepliableStatus {
  return { accountId, mentions, inReplyToAccountId, replyApproval };
}

export class CachedStatus<Forms extends EncodedForms> {
  readonly id: Id;
  /**
   * The status that viewer state is about: the original of a reblog, otherwise this one; its id in two halves (see
   * IdMap).
   */
  readonly subjectId: Id;
  readonly subjectLow: number;
  readonly subjectHigh: number;
  readonly accountId: Id;
  readonly visibility: Visibility;
  readonly mentions: readonly Mention[];
  readonly addressed: readonly Id[] | undefined;
  readonly localOnly: boolean | undefined;
  readonly heldReply: HeldReply | undefined;
  readonly tags: readonly string[];
  readonly inReplyToId: Id | undefined;
  readonly isOwnReply: boolean;
  readonly reblogOfId: Id | undefined;
  readonly hasPoll: boolean;
  readonly quote: Quote | undefined;
  readonly quotability: Quotability;
  /** Undefined where everybody may reply. */
  readonly repliable: RepliableStatus | undefined;
  /** Undefined where it links to none. */
  readonly taggedCollections: readonly Id[] | undefined;
  readonly attributedCard: AttributedCard | undefined;
  /** Whether it shows objects of others: see shown-parts.ts. */
  readonly hasParts: boolean;
  /** A reblog, or a status with a part that depends on the viewer. */
  readonly isOpen: boolean;
  readonly body: Forms['status'];
  /** Identifies this object: a later version of the status has another one. */
  readonly serial: number;
  /** Including everything cached with it: see Presenter.keptWith. */
  bytes: number;
  /** Ids of its replies, once they were looked up. */
  replies: readonly Id[] | undefined;
  /**
   * Its descendants when the thread was walked last: of each the two halves of its id (see IdMap) and its `serial`.
   */
  walk: Float64Array | undefined;
  /** The text in which filters search keywords, once it was needed. */
  filterableText: string | undefined;
  /** False as soon as the cache has dropped it. */
  isCurrent = true;
  /**
   * Identifies this version of the status with its author, once it was needed; after a change of either there is
   * another one.
   */
  version = 0;
  private knownAuthor: CachedAccount<Forms> | undefined;

  constructor({ status, author }: EncodableView, body: Forms['status'], serial: number) {
    this.id = status.id;
    this.subjectId = status.reblogOfId ?? status.id;
    this.subjectLow = lowHalf(this.subjectId);
    this.subjectHigh = highHalf(this.subjectId);
    this.accountId = status.accountId;
    this.visibility = status.visibility;
    this.mentions = status.mentions;
    this.addressed = status.addressed;
    this.localOnly = status.localOnly;
    this.heldReply = status.heldReply;
    this.tags = status.tags.map(({ name }) => name);
    this.inReplyToId = status.inReplyToId;
    this.isOwnReply = status.inReplyToAccountId === status.accountId;
    this.reblogOfId = status.reblogOfId;
    this.hasPoll = status.poll !== undefined;
    this.quote = quoteOf(status);
    this.quotability = quotabilityOf(status);
    this.repliable = status.replyApproval === undefined ? undefined : repliableOf(status);
    this.taggedCollections = status.taggedCollections;
    const card = attributedCardOf(status);
    this.attributedCard = card && { card, link: status.link ?? card.url, by: author.profile };
    this.serial = serial;
    this.hasParts = showsOthers(status);
    this.isOpen = this.reblogOfId !== undefined || hasPersonalPart(status);
    this.body = body;
    this.bytes = body.length + statusBytes + this.mentions.length * mentionBytes + this.tags.length * tagBytes;
    this.replies = undefined;
    this.walk = undefined;
    this.filterableText = undefined;
    this.knownAuthor = undefined;
  }

  dropped(): void {
    this.isCurrent = false;
  }

  /** The author, while the cached account is current. */
  get author(): CachedAccount<Forms> | undefined {
    return this.knownAuthor?.isCurrent === true ? this.knownAuthor : undefined;
  }

  /** `version` is that of the status with another author than before. */
  changeAuthor(author: CachedAccount<Forms> | undefined, version: number): void {
    this.knownAuthor = author;
    this.version = version;
  }
}
