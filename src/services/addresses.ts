/**
 * The addresses of local objects, derived from the public origin, and their parsing. Nothing else builds or parses
 * them. Handles may be on another domain than the server: `alice@example.org` at https://social.example.org.
 *
 *   actor    ORIGIN/users/NAME                     profile page  ORIGIN/@NAME
 *   status   ORIGIN/users/NAME/statuses/ID         its page      ORIGIN/@NAME/ID
 *   activity ORIGIN/users/NAME/statuses/ID/activity, or ORIGIN/activities/ID for those without an object of their own
 */
import { tagPath } from '../actors/text/hashtags.ts';
import { completeQuotedPage } from '../actors/text/quoted-page.ts';
import { type Id, parseId } from '../runtime/ids.ts';

const relativeLink = '<a href="/';
const namePattern = '[A-Za-z0-9_]{1,30}';
const collectionPattern = /^(?:\/users\/[A-Za-z0-9_]{1,30}\/featured_collections|\/collections)\/([0-9]{1,20})$/;

export class Addresses {
  readonly origin: string;
  /** The host[:port] of the origin: the server in HTTP. */
  readonly host: string;
  /** The host[:port] in handles. */
  readonly domain: string;
  private readonly actorPattern: RegExp;
  private readonly statusPattern: RegExp;

  /** `domain`: the host of the origin by default. */
  constructor(origin: string, domain?: string) {
    this.origin = origin;
    this.host = new URL(origin).host;
    this.domain = domain ?? this.host;
    const escaped = origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    this.actorPattern = new RegExp(`^${escaped}/(?:users/|@)(${namePattern})$`);
    this.statusPattern = new RegExp(
      `^${escaped}/(?:users/(${namePattern})/statuses/|@(${namePattern})/)([0-9]{1,20})$`,
    );
  }

  /** Whether a host[:port] in normal form means this server in a handle; people write both. */
  isOwnHost(host: string): boolean {
    return host === this.domain || host === this.host;
  }

  isLocal(uri: string): boolean {
    return uri.startsWith(`${this.origin}/`);
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
    return this.actorPattern.exec(uri)?.[1];
  }

  /** The id in a local collection's URI or page address. */
  collectionIdOf(uri: string): Id | undefined {
    const found = this.isLocal(uri) ? collectionPattern.exec(uri.slice(this.origin.length)) : null;
    return found === null ? undefined : parseId(found[1]!);
  }

  /** The id in a local status' URI or page address, with the user name in it. */
  statusOf(uri: string): { username: string; id: Id } | undefined {
    const found = this.statusPattern.exec(uri);
    if (found === null) return undefined;
    const id = parseId(found[3]!);
    return id === undefined ? undefined : { username: (found[1] ?? found[2])!, id };
  }
}
