/** The effect of link cards: fetches a page, its picture and the account of its author. Runs on network threads. */
import type { Card } from '../../actors/account/cards/cards.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { fetchCard } from '../../actors/domain/cards/cards.effects.ts';
import type { FetchedCard } from '../../actors/domain/cards/cards.messages.ts';
import { cardLimits } from '../../actors/domain/cards/limits.ts';
import { mayAttribute } from '../../actors/policy/attribution.ts';
import { hostOfPage } from '../../actors/policy/page-host.ts';
import { taskModule } from '../../options/project-files.ts';
import { fetchPage } from '../../outbound/cards/fetch-page.ts';
import type { ReadPage } from '../../outbound/cards/read-page.ts';
import { isOfTheMoment } from '../../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { Failure } from '../../runtime/errors.ts';
import { TaskKilled } from '../../runtime/process-pool.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { PictureFacts } from '../../services/media/decode-picture.task.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import { fetchedFile } from '../../services/media/remote-media.ts';
import type { NetworkServices } from '../../services/network-services.ts';

const pictureTask = taskModule('services/media/decode-picture.task');
const creatorMilliseconds = 5_000;
const { failedMilliseconds } = cardLimits;

export function cardRunner(
  services: NetworkServices,
  fetcher: Fetcher,
): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(fetchCard, ({ url }, cause) => fetchedCard(services, fetcher, url, cause));
}

/** What another site does wrong is an answer without a card. */
async function fetchedCard(
  services: NetworkServices,
  fetcher: Fetcher,
  url: string,
  cause?: string,
): Promise<FetchedCard> {
  const { options, htmlPool } = services;
  const refuses = (host: string) => domainPolicy(services).isSuspended(host);
  if (!options.cards || refuses(hostOfPage(url))) return { url, againMilliseconds: failedMilliseconds };
  const page = await orFailure(fetchPage({ fetcher, htmlPool, language: options.language, refuses }, url));
  if (page === undefined) return { url };
  if ('ok' in page) {
    if (!isOfTheMoment(page)) return { url };
    return { url, againMilliseconds: Math.max(failedMilliseconds, page.retryAfterMilliseconds ?? 0) };
  }
  if (page instanceof Failure) return { url, againMilliseconds: failedMilliseconds };
  const author = await authorOf(services, page, cause);
  const picture = (await pictureOf(services, fetcher, page)) ?? {};
  return { url, card: { ...page.card, ...sizedBy(page.card, picture), ...author } };
}

async function orFailure<Found>(found: Promise<Found>): Promise<Found | Failure> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** The size of a player or photo goes before that of the picture. */
function sizedBy({ type, width = 0 }: Card, picture: Partial<Card>): Partial<Card> {
  if (type === undefined || type === 'link' || width === 0) return picture;
  const { width: _width, height: _height, ...rest } = picture;
  return rest;
}

/**
 * The account that the page names, if that account allows the host of the page to name it (`attributionDomains`);
 * otherwise it is told that the page claims it.
 */
async function authorOf(
  { resolver, snapshots }: NetworkServices,
  { creator, card }: ReadPage,
  cause?: string,
): Promise<Pick<Card, 'authorId' | 'claimedAuthorId'>> {
  if (creator === undefined || !/^[^@\s/]{1,200}@[^@\s/]{1,200}$/.test(creator)) return {};
  const accountId = await orFailure(resolver.resolveHandle(creator.toLowerCase(), creatorMilliseconds, cause));
  if (accountId === undefined || accountId instanceof Failure) return {};
  const isAllowed = mayAttribute(findProfile(snapshots, accountId)?.attributionDomains, card.url);
  return isAllowed ? { authorId: accountId } : { claimedAuthorId: accountId };
}

/** Kept by the media proxy, which readers will ask. Undefined where it cannot be shown: the card stays without it. */
async function pictureOf(
  services: NetworkServices,
  fetcher: Fetcher,
  { card, imageUrl }: ReadPage,
): Promise<Pick<Card, 'image' | 'blurhash' | 'width' | 'height'> | undefined> {
  if (imageUrl === undefined || domainPolicy(services).rejectsMedia(hostOfPage(card.url))) return undefined;
  const { allowHttp } = fetcher.connections.policy;
  const address = allowHttp ? imageUrl : imageUrl.replace(/^http:/, 'https:');
  try {
    // Gateways sign the addresses of pictures with them, and could show none before they are stored.
    await secretsOf(services);
    const file = await fetchedFile(services.remoteMedia, { kind: 'card', address });
    if (file.state !== 'kept') return undefined;
    const { pictureMilliseconds } = mediaLimits;
    const facts = await services.mediaPool.run<PictureFacts>(
      pictureTask,
      'describePicture',
      file.path,
      pictureMilliseconds,
    );
    return { image: address, ...facts };
  } catch (error) {
    if (error instanceof Failure || error instanceof TaskKilled) return undefined;
    throw error;
  }
}
