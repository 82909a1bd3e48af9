/**
 * The payloads of streaming events: a status is the text of its entity, made into a payload once per version and viewer
 * state, however many events, channels and sockets carry it.
 */

import type { StatusFacts } from '../../actors/account/statuses/statuses.events.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import { announcementForAll } from '../../operations/announcements/announcements.ts';
import type { CachedStatus } from '../../operations/presentation/cached-status.ts';
import type { PresentationContext } from '../../operations/presentation/contexts.ts';
import type { Id } from '../../runtime/ids.ts';
import { bytesOfText } from '../../runtime/kept-text.ts';
import { announcementEntity } from '../entities/announcement.ts';
import type { EncodableStatus, EntityForms } from '../entities/encodable-status.ts';
import type { GatewayServices } from '../gateway-services.ts';

export class Payload {
  readonly json: string;
  private escapedJson: string | undefined;

  constructor(json: string) {
    this.json = json;
  }

  /** As a JSON string, for frames that are JSON themselves. */
  get escaped(): string {
    this.escapedJson ??= JSON.stringify(this.json);
    return this.escapedJson;
  }
}

/**
 * For an event that has no payload. Mastodon sends `undefined`, which JSON parsers such as that of Mastodon.py reject.
 */
export const noPayload = new Payload('null');

/** For an event without a payload that clients parse as JSON. */
export const done = new Payload('1');

/** Texts cached per version: few viewers have a state, or filters, that others do not have. */
const payloadsKeptMax = 32;
/** Itself, and as a JSON string. */
const textsOfPayload = 2;
/** The memory of a version besides its texts (measured). */
const versionBytes = 400;

/** All payloads of one version of a status: with its current author and, for a reblog, its current original. */
interface Version {
  readonly parts: readonly (object | undefined)[];
  /** Counted with the status, with which they are cached. */
  bytes: number;
  readonly payloads: { readonly states: readonly unknown[]; readonly payload: Payload }[];
}

export class Payloads {
  private readonly services: GatewayServices;
  private lastAnnouncement: Payload | undefined;
  private readonly versions = new WeakMap<CachedStatus<EntityForms>, Version>();

  constructor(services: GatewayServices) {
    this.services = services;
  }

  /** For a viewer without any relationship to it. Undefined when the status was deleted. */
  statusForStranger(statusId: Id): Payload | undefined {
    const shown = this.services.presenter.forStranger(statusId);
    return shown === undefined ? undefined : this.status(shown);
  }

  /** Whether the viewer is shown the permissions of strangers: to quote the status, and to feature its author. */
  isForStrangers(statusId: Id, viewerId: Id): boolean {
    const status = this.services.presenter.status(statusId);
    if (status === undefined || status.quotability.asksForFollow) return status === undefined;
    if (!this.services.presenter.knowsAuthorAsStranger(status, viewerId)) return false;
    return status.accountId !== viewerId || status.quotability.author === status.quotability.stranger;
  }

  /** The same for public channels, which leave out limited accounts. */
  statusInPublic(statusId: Id): Payload | undefined {
    const shown = this.services.presenter.forStranger(statusId);
    return shown === undefined || shown.author.isLimited ? undefined : this.status(shown);
  }

  /** Undefined when the status was deleted, or the viewer is not shown it there. */
  statusIn(context: PresentationContext, statusId: Id, viewerId: Id): Payload | undefined {
    const shown = this.services.presenter.one(statusId, viewerId, context);
    return shown === undefined ? undefined : this.status(shown);
  }

  /** Whether the viewer may see a status that is gone. */
  couldSee({ mentions, ...facts }: StatusFacts, viewerId: Id): boolean {
    return maySee({ ...facts, mentions: mentions.map((id) => ({ id })) }, this.services.presenter.viewer(viewerId));
  }

  conversation(accountId: Id, threadId: Id): Payload | undefined {
    const { conversations, answers } = this.services;
    const shown = conversations.one(accountId, threadId);
    return shown === undefined ? undefined : new Payload(answers.conversation(shown).toString());
  }

  /** Each partition logs its own event for it. */
  announcement(id: Id): Payload | undefined {
    const view = announcementForAll(this.services, id);
    if (view === undefined) return undefined;
    const json = JSON.stringify(announcementEntity(view, this.services.addresses, false));
    if (this.lastAnnouncement?.json !== json) this.lastAnnouncement = new Payload(json);
    return this.lastAnnouncement;
  }

  notification(accountId: Id, notificationId: Id): Payload | undefined {
    const shown = this.services.notifications.one(accountId, notificationId);
    return shown === undefined ? undefined : new Payload(this.services.answers.notification(shown).toString());
  }

  private status(shown: EncodableStatus): Payload {
    // Quotes and collections are rare, and change without the status.
    if (shown.parts !== undefined || shown.original?.parts !== undefined)
      return new Payload(this.services.answers.status(shown).toString());
    const version = this.versionOf(shown);
    const states = [shown, shown.original].flatMap((one) => [one?.state[one.shownTo], one?.quotePermission]);
    const known = version.payloads.find((one) => isSame(one.states, states));
    if (known !== undefined) return known.payload;
    const payload = new Payload(this.services.answers.status(shown).toString());
    if (version.payloads.length < payloadsKeptMax) {
      version.payloads.push({ states, payload });
      this.grew(shown, version, textsOfPayload * bytesOfText(payload.json));
    }
    return payload;
  }

  private grew({ status }: EncodableStatus, version: Version, bytes: number): void {
    version.bytes += bytes;
    this.services.presenter.keptWith(status, bytes);
  }

  private versionOf(shown: EncodableStatus): Version {
    const parts = [shown.author, shown.original?.status, shown.original?.author];
    let version = this.versions.get(shown.status);
    if (version === undefined || !isSame(version.parts, parts)) {
      if (version !== undefined) this.grew(shown, version, -version.bytes);
      version = { parts, bytes: 0, payloads: [] };
      this.versions.set(shown.status, version);
      this.grew(shown, version, versionBytes + (shown.original?.status.body.length ?? 0));
    }
    return version;
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((part, index) => part === other[index]);
}
