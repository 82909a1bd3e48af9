/**
 * The payloads of streaming events: a status is the text that the other faces answer with, made into a payload once for
 * each version and each state that viewers have it in, however many events, channels and sockets carry it.
 */
import { announcementForAll } from '../../operations/announcements/announcements.ts';
import type { KnownStatus } from '../../operations/presentation/known-status.ts';
import type { Id } from '../../runtime/ids.ts';
import { bytesOfText } from '../../runtime/kept-text.ts';
import { announcementEntity } from '../entities/announcement.ts';
import type { EncodableStatus, EncodedAccount, EncodedStatus } from '../entities/encoded-status.ts';
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

/** Of an event that says all by its name. Mastodon writes `undefined`, on which readers of JSON such as Mastodon.py end. */
export const noPayload = new Payload('null');

/** Of one that clients read as JSON, though it has nothing to tell. */
export const done = new Payload('1');

/** Texts that are kept of one version: few viewers have a state, or filters, that others do not have. */
const payloadsKeptMax = 32;
/** As it is, and as a JSON string. */
const textsOfPayload = 2;
/** Of a version beside its texts (measured). */
const versionBytes = 400;

/** All payloads of one version of a status: with its author, and for a reblog with its original, as they are now. */
interface Version {
  readonly parts: readonly (object | undefined)[];
  /** Counted for the status, with which they are kept. */
  bytes: number;
  readonly payloads: { readonly states: readonly unknown[]; readonly payload: Payload }[];
}

export class Payloads {
  private readonly services: GatewayServices;
  private lastAnnouncement: Payload | undefined;
  private readonly versions = new WeakMap<KnownStatus<EncodedStatus, EncodedAccount>, Version>();

  constructor(services: GatewayServices) {
    this.services = services;
  }

  /** As somebody sees it who has no ties to it. Undefined when the status is gone. */
  statusForStranger(statusId: Id): Payload | undefined {
    const shown = this.services.presenter.forStranger(statusId);
    return shown === undefined ? undefined : this.status(shown);
  }

  /** Whether the viewer may quote a status as strangers may. */
  isForStrangers(statusId: Id, viewerId: Id): boolean {
    const status = this.services.presenter.status(statusId);
    if (status === undefined || status.quotability.asksForFollow) return status === undefined;
    return status.accountId !== viewerId || status.quotability.author === status.quotability.stranger;
  }

  /** The same for public channels, which carry nothing of limited accounts. */
  statusInPublic(statusId: Id): Payload | undefined {
    const shown = this.services.presenter.forStranger(statusId);
    return shown === undefined || shown.author.isLimited ? undefined : this.status(shown);
  }

  /** Undefined when the status is gone, or the viewer may not see it. */
  statusFor(statusId: Id, viewerId: Id): Payload | undefined {
    const shown = this.services.presenter.one(statusId, viewerId, 'stream');
    return shown === undefined ? undefined : this.status(shown);
  }

  /** The same for public channels. */
  statusInPublicFor(statusId: Id, viewerId: Id): Payload | undefined {
    const shown = this.services.presenter.one(statusId, viewerId, 'publicStream');
    return shown === undefined ? undefined : this.status(shown);
  }

  conversation(accountId: Id, threadId: Id): Payload | undefined {
    const { conversations, answers } = this.services;
    const shown = conversations.one(accountId, threadId);
    return shown === undefined ? undefined : new Payload(answers.conversation(shown).toString());
  }

  /** Each partition has an event of its own for it. */
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
    // Few quote, and what they quote is a status with a version of its own.
    if (shown.quote !== undefined || shown.original?.quote !== undefined)
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
    const parts = [shown.author.body, shown.original?.status.body, shown.original?.author.body];
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
