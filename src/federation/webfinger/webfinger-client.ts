/**
 * The WebFinger client (RFC 7033): from a handle to its actor, and back for an actor that claims a handle. Accounts on
 * split domains (the handle's host is not the actor's) are found by one redirect of the subject or by host-meta.
 */

import { type FetchFailure, type FetchResult, fetchFailure } from '../../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { isSameDocument } from '../fetch-activity-document.ts';
import { formatHandle, type Handle, isSameHandle, normaliseHost, parseHandle } from './handle.ts';
import { parseHostMeta, parseJrd, type ResourceDescriptor } from './jrd.ts';

export interface WebFingerOptions {
  /** `http` only for fleets on one machine. */
  readonly scheme: 'https' | 'http';
  /** Repeats a request that failed lately, because a user searches. */
  readonly fresh?: boolean;
}

export interface ResolvedHandle {
  readonly ok: true;
  /** The handle given by the account's own server; may differ from the requested one. */
  readonly handle: Handle;
  readonly actorUrl: string;
}

export type HandleResult = ResolvedHandle | FetchFailure;

/** The actor of a handle. The actor itself is not fetched; `confirmActorHandle` checks what it claims as its handle. */
export async function resolveHandle(
  fetcher: Fetcher,
  handle: Handle,
  options: WebFingerOptions,
): Promise<HandleResult> {
  const first = await ask(fetcher, handle, options);
  if (!first.ok || isSameHandle(first.handle, handle)) return first;
  const second = await ask(fetcher, first.handle, options);
  if (!second.ok || isSameHandle(second.handle, first.handle)) return second;
  return fetchFailure('invalid', `the subject of ${formatHandle(handle)} is redirected twice`);
}

/** The properties of a fetched actor document from which its handle follows. */
export interface ActorIdentity {
  readonly id: string;
  readonly preferredUsername: string;
  /** FEP-2c59: `user@host`, which replaces preferredUsername and the id's host. */
  readonly webfinger?: string | undefined;
}

/** The handle that an actor claims, not confirmed yet; undefined when it claims none that can be looked up. */
export function claimedHandle(actor: ActorIdentity): Handle | undefined {
  if (actor.webfinger !== undefined) return parseHandle(actor.webfinger);
  const host = normaliseHost(URL.parse(actor.id)?.host ?? '');
  return host === undefined ? undefined : parseHandle(`${actor.preferredUsername}@${host}`);
}

/**
 * Confirms the reverse direction: the handle that an actor claims must lead back to that actor. The resulting handle is
 * the canonical one of the account, with the name as the actor spells it.
 */
export async function confirmActorHandle(
  fetcher: Fetcher,
  actor: ActorIdentity,
  options: WebFingerOptions,
): Promise<HandleResult> {
  const claimed = claimedHandle(actor);
  if (claimed === undefined) return fetchFailure('invalid', 'the actor claims no usable handle');
  const resolved = await resolveHandle(fetcher, claimed, options);
  if (!resolved.ok) return resolved;
  if (isSameDocument(resolved.actorUrl, actor.id)) return { ...resolved, handle: spelledAs(claimed, resolved.handle) };
  return fetchFailure('invalid', `${formatHandle(claimed)} leads to another actor`);
}

/** Subjects come in capitals. */
function spelledAs({ username }: Handle, confirmed: Handle): Handle {
  return username.toLowerCase() === confirmed.username.toLowerCase() ? { ...confirmed, username } : confirmed;
}

/** One request, answered with the subject as a handle. */
async function ask(fetcher: Fetcher, handle: Handle, options: WebFingerOptions): Promise<HandleResult> {
  const resource = await getDescriptor(fetcher, handle, options);
  if (!resource.ok) return resource;
  const descriptor: ResourceDescriptor | undefined = parseJrd(resource.body);
  if (descriptor === undefined) return fetchFailure('invalid', 'the WebFinger answer is not a JRD');
  const { actorUrl, subject } = descriptor;
  if (actorUrl === undefined) return fetchFailure('invalid', 'the WebFinger answer names no ActivityPub actor');
  // A subject that is not a handle (some servers give the actor's URL) does not contradict the requested one.
  const named = subject === undefined ? undefined : parseHandle(subject);
  return { ok: true, handle: named ?? handle, actorUrl };
}

const jrdAccept = 'application/jrd+json, application/json';

async function getDescriptor(fetcher: Fetcher, handle: Handle, options: WebFingerOptions): Promise<FetchResult> {
  const resource = `acct:${formatHandle(handle)}`;
  const origin = `${options.scheme}://${handle.host}`;
  const direct = `${origin}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`;
  const answer = await get(fetcher, direct, jrdAccept, options);
  if (answer.ok || answer.kind !== 'notFound') return answer;
  const hostMeta = await get(
    fetcher,
    `${origin}/.well-known/host-meta`,
    'application/xrd+xml, application/xml',
    options,
  );
  const template = hostMeta.ok ? parseHostMeta(hostMeta.body.toString('utf8')) : undefined;
  const redirected = template?.replace('{uri}', encodeURIComponent(resource));
  return redirected === undefined || redirected === direct ? answer : get(fetcher, redirected, jrdAccept, options);
}

function get(fetcher: Fetcher, url: string, accept: string, options: WebFingerOptions): Promise<FetchResult> {
  return fetcher.get({ url, accept, bytesMax: fetcher.connections.limits.webfingerBytesMax, fresh: options.fresh });
}
