/**
 * A gateway over memory partitions with every endpoint and page, the people of the model and their statuses. What can
 * hold on to a status does so before the relations change: lists, favourites, bookmarks, pins, conversations,
 * notifications, reblogs.
 */
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findLocalAccount, passwordMarkOf } from '../../../src/actors/account/profile/logins.queries.ts';
import { findProfile } from '../../../src/actors/account/remote/federation.queries.ts';
import type { ReceivedStatus } from '../../../src/actors/account/remote/remote.messages.ts';
import { Directory, nameOfHandle } from '../../../src/actors/directory/directory.messages.ts';
import { sessionCookieOf } from '../../../src/gateway/oauth/browser.ts';
import { rawRoutes } from '../../../src/gateway/raw-routes.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { formatPosition } from '../../../src/gateway/streaming/position.ts';
import { publishedPosition } from '../../../src/gateway/streaming/published-position.ts';
import { createToken } from '../../../src/operations/administration/create-token.ts';
import { operator } from '../../../src/operations/caller.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import { openBrowserSession } from '../../../src/operations/registration/browser-sessions.ts';
import type { Json } from '../../support/asking.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { nobodyElsewhere } from '../../support/only.ts';
import { testProfile } from '../../support/profile.ts';
import { searchOver, type TestSearch } from '../../support/search.ts';
import { addAccount } from '../../support/sign-up.ts';
import { type Curated, members } from './collections.ts';
import { type Author, followedOnce, type Name, people, type Secret, tagFollowers, type Viewer } from './model.ts';

const origin = 'https://social.example';
const farDomain = 'far.example';
const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
const kinds = { author: visibilities, far: [...visibilities, 'limited'] } as const;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly accept?: string;
}

export interface Found {
  readonly status: number;
  readonly text: string;
}

/** A notification as it was before relations changed. */
export interface Notice {
  readonly owner: Name;
  readonly id: string;
  readonly groupKey: string;
  /** That of the status. */
  readonly word: string | undefined;
}

const mentionedBy = (author: Author, mentions: boolean) => (mentions ? people.filter((name) => name !== author) : []);
const textOf = (word: string, mentioned: readonly Name[]) =>
  `${word} #secret ${mentioned.map((name) => `@${name}`).join(' ')}`;

export class World {
  readonly gateway: TestGateway;
  readonly secrets: Secret[] = [];
  /** Where the logs stood before any of them was published: the id of a streamed event. */
  beginning = '';
  readonly ids = {} as Record<Name | 'far' | 'reblogging', string>;
  /** Of each follower: see isInList of the model. */
  readonly lists = new Map<Viewer, string>();
  /** A public status of the local author, quoted in a public status by somebody whom all followers follow. */
  readonly quoted = { word: 'quotedword', id: '', quotingId: '' };
  /** A public reply of somebody whom all followers follow, which waits until the local author agrees. */
  readonly held = { word: 'heldword', id: '' };
  readonly curated: Curated[] = [];
  /** A collection of the local author, in no list, and a public status of the same somebody that links to it. */
  readonly linked = { word: 'linkedword', collectionId: '', linkingId: '' };
  /** A public status of each author that trends. */
  readonly trending = {} as Record<Author, string>;
  readonly notices: Notice[] = [];
  /** Of whoever filters. */
  readonly requestIds: string[] = [];
  /** The status of each author under which the secrets stand. */
  readonly roots = {} as Record<Author, string>;
  readonly tokens = new Map<string, string>();
  private readonly search: TestSearch;
  /** What the far author published, by its id here. */
  private readonly received = new Map<string, ReceivedStatus>();
  private readonly cookies = new Map<string, string>();

  private constructor() {
    this.gateway = startTestGateway({ endpoints, rawRoutes, streams: true });
    this.search = searchOver(this.gateway.actors);
    Object.assign(this.gateway.services, { resolver: nobodyElsewhere, search: this.search.engine });
  }

  static async create(): Promise<World> {
    const world = new World();
    for (const name of [...people, 'reblogging'] as const) await world.signUp(name);
    await world.meetFarAuthor();
    await world.follow();
    await world.act('filtering', 'PATCH', '/api/v2/notifications/policy', { for_not_following: 'filter' });
    world.beginning = await world.position();
    for (const author of ['author', 'far'] as const)
      world.roots[author] = (await world.publishAs(author, 'beginning', 'public', false, undefined)).id;
    world.secrets.push(...(await world.publish('word')));
    await world.quote();
    await world.hold();
    await world.curate();
    await world.link();
    await world.trend();
    await world.keep();
    await world.fallOut();
    world.gateway.actors.settle();
    world.search.catchUp();
    return world;
  }

  /** Asks as an application does; with `accept`, as a browser or another server does. */
  async ask(viewer: Viewer | 'reblogging', { method, path, json, accept }: Asked): Promise<Found> {
    const isPage = accept?.startsWith('text/html') === true;
    const cookie = isPage ? this.cookies.get(viewer) : undefined;
    const token = accept === undefined ? this.tokens.get(viewer) : undefined;
    const headers = { ...(accept && { accept }), ...(cookie && { cookie }) };
    const response = await this.gateway.fetch(path, { method, json, token, headers });
    return { status: response.status, text: await response.text() };
  }

  /** Throws an Error where the answer is not a success. */
  async act(name: Name | 'reblogging', method: string, path: string, json?: unknown): Promise<Json> {
    const { status, text } = await this.ask(name, { method, path, json });
    if (status !== 200) throw new Error(`${name}: ${method} ${path} was answered with ${status}: ${text}`);
    return JSON.parse(text) as Json;
  }

  private async signUp(name: Name | 'reblogging'): Promise<void> {
    const { services, actors } = this.gateway;
    const id = await addAccount(actors, name, { role: name === 'staff' ? 'admin' : 'user' });
    this.ids[name] = id.toString();
    const asking = { caller: operator, services };
    const { token } = await createToken(asking, {
      username: name,
      scopes: 'read write follow push',
      dialect: 'specification',
    });
    this.tokens.set(name, token);
    const passwordMark = passwordMarkOf(findLocalAccount(actors.read, id)!.login);
    const caller = { kind: 'account', accountId: id, limits: unlimited } as const;
    const { secret } = await openBrowserSession({ caller, services }, { passwordMark, browser: 'Firefox · Linux' });
    this.cookies.set(name, sessionCookieOf({ origin }, secret)['Set-Cookie'].split(';')[0]!);
  }

  private async meetFarAuthor(): Promise<void> {
    const uri = `https://${farDomain}/users/far`;
    const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
    const profile = testProfile({ username: 'far', domain: farDomain, remote });
    const { actors } = this.gateway;
    const { accountId } = await actors.call(Directory.learn.to(uri, { profile }));
    actors.send(Directory.point.to(nameOfHandle('far', farDomain), { accountId }));
    actors.settle();
    this.ids.far = accountId.toString();
  }

  private async follow(): Promise<void> {
    for (const name of ['follower', 'blocked', 'blocking', 'muting', 'hiding'] as const) {
      for (const whom of ['author', 'far', 'reblogging'] as const)
        await this.act(name, 'POST', `/api/v1/accounts/${this.ids[whom]}/follow`, { notify: true });
      const accepted = Account.followAccepted.to(BigInt(this.ids[name]), { targetId: BigInt(this.ids.far) });
      await this.gateway.actors.call(accepted);
      const { id } = await this.act(name, 'POST', '/api/v1/lists', { title: 'Both' });
      const { author, far, reblogging } = this.ids;
      const members = { account_ids: [author, reblogging, ...(name === 'follower' ? [] : [far])] };
      await this.act(name, 'POST', `/api/v1/lists/${String(id)}/accounts`, members);
      this.lists.set(name, String(id));
    }
  }

  /** Statuses of every kind, of both authors, whose words begin alike. */
  async publish(beginning: string): Promise<Secret[]> {
    const secrets: Secret[] = [];
    for (const author of ['author', 'far'] as const)
      for (const visibility of kinds[author])
        for (const mentions of [true, false]) {
          const word = `${beginning}${secrets.length}of${author}`;
          const { id, uri } = await this.publishAs(author, word, visibility, mentions, this.roots[author]);
          const reblogId = ['public', 'unlisted'].includes(visibility) ? await this.reblog(id) : undefined;
          secrets.push({ word, id, uri, author, visibility, mentions, reblogId });
        }
    return secrets;
  }

  async edit({ author, id, word, mentions }: Secret): Promise<void> {
    this.gateway.actors.clock.advance(1_000);
    const status = `${textOf(word, mentionedBy(author, mentions))} edited`;
    if (author === 'author') await this.act('author', 'PUT', `/api/v1/statuses/${id}`, { status, spoiler_text: word });
    else {
      const now = this.gateway.actors.clock.now();
      const edited = { ...this.received.get(id)!, content: `<p>${status}</p>`, editedAt: now };
      await this.gateway.actors.call(
        Account.receiveStatusEdit.to(BigInt(this.ids.far), { receivedAt: now, status: edited }),
      );
    }
  }

  /** As the server of the far author says now. */
  async suspendFarAuthor(isSuspended: boolean): Promise<void> {
    const { actors } = this.gateway;
    const farId = BigInt(this.ids.far);
    const profile = { ...findProfile(actors.read, farId)!, isSuspendedByOrigin: isSuspended || undefined };
    await actors.call(Account.learnProfile.to(farId, { profile }));
  }

  private async position(): Promise<string> {
    const { services } = this.gateway;
    const positions = services.snapshots.partitions.map((_, partition) => publishedPosition(services, partition));
    return (await Promise.all(positions)).map(formatPosition).join(',');
  }

  private async quote(): Promise<void> {
    const { word } = this.quoted;
    const { id } = await this.act('author', 'POST', '/api/v1/statuses', { status: word });
    const quote = { status: 'Look at this', quoted_status_id: String(id) };
    const { id: quotingId } = await this.act('reblogging', 'POST', '/api/v1/statuses', quote);
    Object.assign(this.quoted, { id: String(id), quotingId: String(quotingId) });
  }

  private async hold(): Promise<void> {
    const post = { status: 'Ask me', reply_approval_policy: 'approved' };
    const { id } = await this.act('author', 'POST', '/api/v1/statuses', post);
    const status = `${this.held.word} #secret`;
    const reply = await this.act('reblogging', 'POST', '/api/v1/statuses', { status, in_reply_to_id: String(id) });
    this.held.id = String(reply.id);
  }

  private async curate(): Promise<void> {
    for (const name of members)
      await this.gateway.actors.call(Account.changeProfile.to(BigInt(this.ids[name]), { discoverable: true }));
    for (const [word, isListed] of [
      ['profileword', true],
      ['addressword', false],
    ] as const) {
      const accounts = { account_ids: members.map((name) => this.ids[name]) };
      const made = await this.act('author', 'POST', '/api/v1/collections', {
        name: word,
        discoverable: isListed,
        ...accounts,
      });
      this.curated.push({ word, isListed, id: String((made.collection as unknown as Json).id) });
    }
  }

  private async trend(): Promise<void> {
    const { actors } = this.gateway;
    const [authorId, farId] = [BigInt(this.ids.author), BigInt(this.ids.far)];
    await actors.call(Account.changeProfile.to(authorId, { discoverable: true }));
    const profile = { ...findProfile(actors.read, farId)!, discoverable: true };
    await actors.call(Account.learnProfile.to(farId, { profile }));
    const { id } = await this.act('author', 'POST', '/api/v1/statuses', { status: 'trendofauthor', language: 'en' });
    const now = actors.clock.now();
    const nothing = { mentions: [], localMentions: [], tags: [], emojis: [], attachments: [] };
    const plain = { spoilerText: '', sensitive: false, visibility: 'public', language: 'en', ...nothing } as const;
    const uri = `https://${farDomain}/notes/trend`;
    const status = { ...plain, uri, content: '<p>trendoffar</p>', publishedAt: now };
    const { statusId } = await actors.call(Account.receiveStatus.to(farId, { receivedAt: now, status }));
    for (const one of [String(id), String(statusId)])
      for (const name of people) await this.act(name, 'POST', `/api/v1/statuses/${one}/favourite`);
    Object.assign(this.trending, { author: String(id), far: String(statusId) });
  }

  private async link(): Promise<void> {
    const { word } = this.linked;
    const made = await this.act('author', 'POST', '/api/v1/collections', { name: word, discoverable: false });
    const { id, url } = made.collection as unknown as Json;
    const { id: linkingId } = await this.act('reblogging', 'POST', '/api/v1/statuses', { status: String(url) });
    Object.assign(this.linked, { collectionId: String(id), linkingId: String(linkingId) });
  }

  private async reblog(id: string): Promise<string> {
    return String((await this.act('reblogging', 'POST', `/api/v1/statuses/${id}/reblog`)).id);
  }

  private async publishAs(
    author: Author,
    word: string,
    visibility: Secret['visibility'],
    mentions: boolean,
    parentId: string | undefined,
  ): Promise<{ id: string; uri: string }> {
    this.gateway.actors.clock.advance(1_000);
    const mentioned = mentionedBy(author, mentions);
    if (author === 'far') return this.receive(word, visibility, mentioned, parentId);
    const { id, uri } = await this.act('author', 'POST', '/api/v1/statuses', {
      status: textOf(word, mentioned),
      spoiler_text: word,
      visibility,
      in_reply_to_id: parentId,
      poll: { options: [word, 'other'], expires_in: 3_600 },
    });
    return { id: String(id), uri: String(uri) };
  }

  private async receive(
    word: string,
    visibility: Secret['visibility'],
    mentioned: readonly Name[],
    parentId: string | undefined,
  ): Promise<{ id: string; uri: string }> {
    const { actors } = this.gateway;
    const now = actors.clock.now();
    const farId = BigInt(this.ids.far);
    const parent = parentId === undefined ? undefined : BigInt(parentId);
    const isLimited = visibility === 'limited';
    const accountIds = mentioned.map((name) => BigInt(this.ids[name]));
    const status: ReceivedStatus = {
      uri: `https://${farDomain}/notes/${word}`,
      content: `<p>${word}</p>`,
      spoilerText: word,
      visibility: isLimited ? 'direct' : visibility,
      ...(isLimited && { limited: true, addressed: accountIds }),
      sensitive: true,
      publishedAt: now,
      ...(parent && { inReplyToId: parent, inReplyToAccountId: farId, threadId: parent }),
      mentions: (isLimited ? [] : mentioned).map((name) => {
        return { id: BigInt(this.ids[name]), username: name, acct: name, url: `${origin}/@${name}` };
      }),
      localMentions: isLimited ? accountIds.filter((_, index) => !followedOnce(mentioned[index]!)) : accountIds,
      tags: [{ name: 'secret', display: 'secret' }],
      emojis: [],
      attachments: [],
      poll: { options: [word, 'other'], multiple: false, hideTotals: false },
    };
    const { statusId } = await actors.call(Account.receiveStatus.to(farId, { receivedAt: now, status }));
    this.received.set(statusId.toString(), status);
    return { id: statusId.toString(), uri: status.uri };
  }

  /** Everybody keeps what they can get. */
  private async keep(): Promise<void> {
    for (const name of people)
      for (const { id } of this.secrets)
        for (const how of ['favourite', 'bookmark'])
          await this.ask(name, { method: 'POST', path: `/api/v1/statuses/${id}/${how}`, json: {} });
    for (const { id, author, visibility, mentions } of this.secrets)
      if (author === 'author' && visibility !== 'direct' && mentions)
        await this.act('author', 'POST', `/api/v1/statuses/${id}/pin`);
    for (const { id } of await this.act('filtering', 'GET', '/api/v1/notifications/requests'))
      this.requestIds.push(String(id));
    for (const owner of people)
      for (const { id, group_key, status } of await this.act(
        owner,
        'GET',
        '/api/v1/notifications?limit=80&include_filtered=true',
      ))
        this.notices.push({
          owner,
          id: String(id),
          groupKey: String(group_key),
          word: status && String(status.spoiler_text),
        });
  }

  private async fallOut(): Promise<void> {
    const { ids } = this;
    await this.act('author', 'POST', `/api/v1/accounts/${ids.blocked}/block`);
    const { actors } = this.gateway;
    const block = { targetId: BigInt(ids.blocked), targetDestination: undefined, uri: `https://${farDomain}/blocks/1` };
    await actors.call(Account.block.to(BigInt(ids.far), block));
    for (const whom of [ids.author, ids.far]) {
      await this.act('blocking', 'POST', `/api/v1/accounts/${whom}/block`);
      await this.act('muting', 'POST', `/api/v1/accounts/${whom}/mute`);
    }
    await this.act('hiding', 'POST', '/api/v1/domain_blocks', { domain: farDomain });
    for (const name of tagFollowers) await this.act(name, 'POST', '/api/v1/tags/secret/follow');
  }
}
