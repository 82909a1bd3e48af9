/** Actions of people as messages to actors: tests call them, send them, or interleave them. */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Visibility } from '../../src/actors/account/account.records.ts';
import type { Attachment } from '../../src/actors/account/media/media.records.ts';
import type { ReceivedStatus } from '../../src/actors/account/remote/remote.messages.ts';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { type Id, parseId } from '../../src/runtime/ids.ts';
import type { Person } from './observer.ts';
import { plainPost } from './plain-post.ts';

export interface Post {
  readonly id: Id;
  readonly author: Person;
}

export interface PostOptions {
  readonly text?: string;
  readonly visibility?: Visibility;
  readonly mentions?: readonly Person[];
  readonly tags?: readonly string[];
  readonly replyTo?: Post | undefined;
  readonly language?: string | undefined;
  readonly withMedia?: boolean;
  /** Of the medium, which a local author has uploaded; any for a remote one. */
  readonly mediaId?: Id;
  readonly poll?: PublishStatus['poll'];
}

export interface FollowOptions {
  readonly reblogs?: boolean;
  readonly notify?: boolean;
  readonly languages?: readonly string[];
}

/** `uri` is that of the Follow which a remote server has sent. */
export function follow(follower: Person, target: Person, options: FollowOptions = {}, uri?: string) {
  const { reblogs: showReblogs, notify, languages } = options;
  const given = { showReblogs, notify, languages: languages && [...languages] };
  return Account.follow.to(follower.id, { ...asTarget(target), options: given, uri });
}

export function unfollow(follower: Person, target: Person) {
  return Account.unfollow.to(follower.id, asTarget(target));
}

export function authorizeFollow(target: Person, requester: Person) {
  return Account.authorizeFollow.to(target.id, asRequester(requester));
}

export function rejectFollow(target: Person, requester: Person) {
  return Account.rejectFollow.to(target.id, asRequester(requester));
}

export function block(blocker: Person, target: Person) {
  return Account.block.to(blocker.id, asTarget(target));
}

export function unblock(blocker: Person, target: Person) {
  return Account.unblock.to(blocker.id, asTarget(target));
}

export function publish(author: Person, options: PostOptions = {}, threadId?: Id) {
  return Account.publish.to(author.id, { ...publication(options), threadId });
}

/** A status that its author wrote elsewhere, and brings along. */
export function importPost(
  author: Person,
  given: PostOptions & Pick<ReceivedStatus, 'uri' | 'publishedAt' | 'threadId'>,
) {
  const { uri, publishedAt, threadId, ...options } = given;
  return Account.importPost.to(author.id, { ...publication(options), threadId, uri, publishedAt, media: [] });
}

/** A status of a remote person, received at `receivedAt`. */
export function receive(
  author: Person,
  given: PostOptions & Pick<ReceivedStatus, 'uri' | 'publishedAt' | 'threadId' | 'answersUnknown'>,
  receivedAt: number,
) {
  const { uri, publishedAt, threadId, answersUnknown, ...options } = given;
  const { text, mentions, inReplyToDestination: _destination, poll: _poll, ...rest } = publication(options);
  const status = {
    ...rest,
    threadId,
    answersUnknown,
    content: text,
    uri,
    publishedAt,
    mentions: mentions.map(({ mention }) => mention),
    localMentions: (options.mentions ?? []).filter((one) => one.destination === undefined).map(({ id }) => id),
  };
  return Account.receiveStatus.to(author.id, { status, receivedAt });
}

/** The parts of a status that an edit changes; everything else stays, including its parent. */
export function edit(
  { id: statusId, author }: Post,
  options: Omit<PostOptions, 'visibility' | 'replyTo' | 'poll'> = {},
) {
  const { text, content, sensitive, spoilerText, language, ...added } = publication(options);
  const { mentions, tags, emojis, attachments } = added;
  const given = { text, content, sensitive, spoilerText, language, mentions, tags, emojis, attachments };
  return Account.edit.to(author.id, { ...given, statusId });
}

export function reblog(by: Person, { id: statusId, author }: Post, visibility?: Visibility) {
  return Account.reblog.to(author.id, { statusId, by: by.id, visibility });
}

export function unreblog(by: Person, post: Post) {
  return Account.unreblog.to(by.id, original(post));
}

/** A reblog that a remote server has sent. */
export function receiveReblog(by: Person, { id: statusId, author }: Post, uri: string, publishedAt: number) {
  return Account.receiveReblog.to(by.id, { statusId, authorId: author.id, uri, publishedAt, visibility: 'public' });
}

export function unfavourite(by: Person, post: Post) {
  return Account.unfavourite.to(by.id, original(post));
}

export function remove({ id: statusId, author }: Post) {
  return Account.deleteStatus.to(author.id, { statusId, destinations: [] });
}

export function publication(options: PostOptions): PublishStatus {
  const { text = 'hello', visibility = 'public', replyTo, mentions = [], tags = [] } = options;
  return plainPost(text, {
    visibility,
    language: options.language,
    inReplyToId: replyTo?.id,
    inReplyToAccountId: replyTo?.author.id,
    inReplyToDestination: replyTo?.author.destination,
    mentions: mentions.map(mentionOf),
    tags: tags.map((name) => ({ name, display: name })),
    attachments: options.withMedia ? [picture(options.mediaId)] : [],
    ...(options.poll === undefined ? {} : { poll: options.poll }),
  });
}

/** As it is stored when it was decoded. */
export function picture(id = parseId('1')!): Attachment {
  return { id, type: 'image', url: 'https://media.test/1.png' };
}

export function mentionOf({ id, name, destination }: Person): PublishStatus['mentions'][number] {
  const acct = destination === undefined ? name : `${name}@${destination.host}`;
  return { mention: { id, username: name, acct, url: `https://here.test/@${acct}` }, destination };
}

function original({ id: statusId, author }: Post) {
  return { statusId, authorId: author.id, authorDestination: author.destination };
}

function asTarget({ id: targetId, destination: targetDestination }: Person) {
  return { targetId, targetDestination };
}

function asRequester({ id: requesterId, destination: requesterDestination }: Person) {
  return { requesterId, requesterDestination };
}
