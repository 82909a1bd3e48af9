/**
 * The addresses of local objects, derived from the public origin, and their parsing. Nothing else builds or parses
 * them. Handles may be on another domain than the server: `alice@example.org` at https://social.example.org.
 *
 *   actor    ORIGIN/users/NAME                     profile page  ORIGIN/@NAME
 *   status   ORIGIN/users/NAME/statuses/ID         its page      ORIGIN/@NAME/ID
 *   media    ORIGIN/media/NAME, or on an origin of its own; those of other servers: media/proxy-addresses.ts
 *   activity ORIGIN/users/NAME/statuses/ID/activity, or ORIGIN/activities/ID for those without an object of their own
 */
import { tagPath } from '../actors/text/hashtags.ts';
import { completeQuotedPage } from '../actors/text/quoted-page.ts';
import { type Id, parseId } from '../runtime/ids.ts';
import { type MediaOwner, serversBeside, serversOf } from './media/media-owner.ts';
import type { MediaRules } from './media/media-rules.ts';
import type { ProxiedKind } from './media/proxied-media.ts';
import { type ProxiedFile, proxyAddress, readProxyAddress } from './media/proxy-addresses.ts';
import { hostOfFile } from './media/remote-media.ts';

/** Blobs are served below it. */
export const mediaPath = '/media/';

const relativeLink = '<a href="/';
const namePattern = '[A-Za-z0-9_]{1,30}';
const actorPattern = new RegExp(`^/(?:users/|@)(${namePattern})$`);
const statusPattern = new RegExp(`^/(?:users/(${namePattern})/statuses/|@(${namePattern})/)([0-9]{1,20})$`);
const collectionPattern = /^(?:\/users\/[A-Za-z0-9_]{1,30}\/featured_collections|\/collections)\/([0-9]{1,20})$/;

const schemePattern = /^https?:\/\//i;

/** The path without query, fragment and slash at the end. */
function withoutEnd(path: string): string {
  const end = path.search(/\/?(?:[?#]|$)/);
  return path.slice(0, end);
}

export class Addresses {
  readonly origin: string;
  /** The host[:port] of the origin: the server in HTTP. */
  readonly host: string;
  /** The host[:port] in handles. */
  readonly domain: string;
  private readonly start: string;
  /** Media are served below it. */
  readonly mediaOrigin: string;
  private readonly proxyKey: () => string | undefined;
  private readonly relayPath: string;
  private readonly rejectsMedia: MediaRules['rejects'];

  /**
   * `domain`: the host of the origin by default; `mediaOrigin`: the origin. `proxyKey` signs what `shownMedia` returns.
   * `isRelay`: the server is nothing but a relay, whose actor is then that of the server. `rejectsMedia`: whether staff
   * want no media of this host[:port] to be shown (media/media-rules.ts).
   */
  constructor(
    origin: string,
    domain?: string,
    mediaOrigin = origin,
    proxyKey: () => string | undefined = () => undefined,
    isRelay = false,
    rejectsMedia: MediaRules['rejects'] = () => false,
  ) {
    this.origin = origin;
    this.start = `${origin}/`;
    this.mediaOrigin = mediaOrigin;
    this.proxyKey = proxyKey;
    this.relayPath = isRelay ? '/actor' : '/relay';
    this.rejectsMedia = rejectsMedia;
    this.host = new URL(origin).host;
    this.domain = domain ?? this.host;
  }

  /** Whether a host[:port] in normal form means this server in a handle; people write both. */
  isOwnHost(host: string): boolean {
    return host === this.domain || host === this.host;
  }

  /** The address of media: `reference` is the name of a blob of this server, or the address at another. */
  media(reference: string): string {
    return reference.includes(':') ? reference : `${this.mediaOrigin}${mediaPath}${reference}`;
  }

  /**
   * The address at which readers see a picture, film or sound: like `media`, but a file of another server is shown through
   * this one, so that the other learns nothing about its readers. Never for documents to other servers. Without a key, the
   * address at the other server. Undefined where media of the owner's server, or of that of the file, are rejected.
   */
  shownMedia(reference: string, kind: ProxiedKind, owner: MediaOwner): string | undefined {
    if (!this.isElsewhere(reference)) return this.media(reference);
    const servers = serversOf(owner);
    const fileHost = hostOfFile(reference) ?? '';
    const beside = serversBeside(fileHost, servers);
    if (this.rejectsMedia(fileHost, beside.length > 0) || this.rejectsMediaOf(owner)) return undefined;
    const key = this.proxyKey();
    if (key === undefined) return reference;
    return proxyAddress(this.origin, key, { kind, address: reference, servers: beside });
  }

  /** Whether no media are shown of whoever it is, wherever their files are. */
  rejectsMediaOf(owner: MediaOwner): boolean {
    return serversOf(owner).some((server) => this.rejectsMedia(server, false));
  }

  /** Whether media are at another server. */
  isElsewhere(reference: string): boolean {
    return schemePattern.test(reference) && !this.isLocal(reference);
  }

  /** The file that `shownMedia` has given such an address; undefined for anything else. */
  proxiedMedia(parts: Readonly<Record<string, string>>): ProxiedFile | undefined {
    const key = this.proxyKey();
    return key === undefined ? undefined : readProxyAddress(key, parts);
  }

  isLocal(uri: string): boolean {
    return this.pathOf(uri) !== undefined;
  }

  /**
   * The path of an address of this server, which alone decides what is there: whatever the scheme, the case of the host,
   * the query, the fragment and a slash at the end. Undefined for other addresses.
   */
  pathOf(uri: string): string | undefined {
    if (uri.startsWith(this.start)) return withoutEnd(uri.slice(this.origin.length));
    const hostAt = schemePattern.exec(uri)?.[0].length;
    if (hostAt === undefined || uri.slice(hostAt, hostAt + this.host.length).toLowerCase() !== this.host)
      return undefined;
    const address = URL.parse(uri);
    return address?.host === this.host ? withoutEnd(address.pathname) : undefined;
  }

  actor(username: string): string {
    return `${this.origin}/users/${username}`;
  }

  keyId(username: string): string {
    return `${this.origin}/users/${username}#main-key`;
  }

  profile(username: string): string {
    return `${this.origin}/@${username}`;
  }

  inbox(username: string): string {
    return `${this.origin}/users/${username}/inbox`;
  }

  outbox(username: string): string {
    return `${this.origin}/users/${username}/outbox`;
  }

  followers(username: string): string {
    return `${this.origin}/users/${username}/followers`;
  }

  following(username: string): string {
    return `${this.origin}/users/${username}/following`;
  }

  featured(username: string): string {
    return `${this.origin}/users/${username}/collections/featured`;
  }

  featuredTags(username: string): string {
    return `${this.origin}/users/${username}/collections/tags`;
  }

  /** The page of an account's statuses with a tag; `handle` is `user`, or `user@host` for remote accounts. */
  taggedBy(handle: string, name: string): string {
    return `${this.origin}/@${handle}/tagged/${encodeURIComponent(name)}`;
  }

  /** The page of a collection of accounts. */
  collectionPage(id: Id): string {
    return `${this.origin}/collections/${id}`;
  }

  get sharedInbox(): string {
    return `${this.origin}/inbox`;
  }

  get instanceActor(): string {
    return `${this.origin}/actor`;
  }

  get relayActor(): string {
    return this.origin + this.relayPath;
  }

  /** What administrators of other servers enter as the address of the relay. */
  get relayInbox(): string {
    return this.relayActor === this.instanceActor ? this.sharedInbox : `${this.relayActor}/inbox`;
  }

  status(username: string, id: Id): string {
    return `${this.origin}/users/${username}/statuses/${id}`;
  }

  statusPage(username: string, id: Id): string {
    return `${this.origin}/@${username}/${id}`;
  }

  /** As stored in a quote of a local status. */
  statusPath(username: string, id: Id): string {
    return `/@${username}/${id}`;
  }

  statusActivity(username: string, id: Id): string {
    return `${this.origin}/users/${username}/statuses/${id}/activity`;
  }

  activity(id: Id): string {
    return `${this.origin}/activities/${id}`;
  }

  tag(name: string): string {
    return this.origin + tagPath(name);
  }

  /** As stored in a mention of a local account: `absolute` completes it. */
  profilePath(username: string): string {
    return `/@${username}`;
  }

  /** Completes an address of this server that is stored as a path. */
  absolute(address: string): string {
    return address.startsWith('/') ? this.origin + address : address;
  }

  /** The same for links in HTML that was written here, where `"` and `<` are escaped in text. */
  absoluteLinks(html: string): string {
    if (!html.includes(relativeLink)) return html;
    return completeQuotedPage(html, this.origin).replaceAll(relativeLink, `<a href="${this.origin}/`);
  }

  /** The user name in a local actor's URI or page address. */
  usernameOf(uri: string): string | undefined {
    return actorPattern.exec(this.pathOf(uri) ?? '')?.[1];
  }

  /** The id in a local collection's URI or page address. */
  collectionIdOf(uri: string): Id | undefined {
    const found = collectionPattern.exec(this.pathOf(uri) ?? '');
    return found === null ? undefined : parseId(found[1]!);
  }

  /** The id in a local status' URI or page address, with the user name in it. */
  statusOf(uri: string): { username: string; id: Id } | undefined {
    const found = statusPattern.exec(this.pathOf(uri) ?? '');
    if (found === null) return undefined;
    const id = parseId(found[3]!);
    return id === undefined ? undefined : { username: (found[1] ?? found[2])!, id };
  }
}
