/** The effect of link cards: fetches a page, its picture and the account of its author. Runs on network threads. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Card } from '../../actors/account/cards/cards.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { HeldBlob } from '../../actors/blob/blob.records.ts';
import { fetchCard } from '../../actors/domain/cards/cards.effects.ts';
import type { FetchedCard } from '../../actors/domain/cards/cards.messages.ts';
import { cardLimits as keptLimits } from '../../actors/domain/cards/limits.ts';
import { taskModule } from '../../options/project-files.ts';
import { fetchPage } from '../../outbound/cards/fetch-page.ts';
import { cardLimits } from '../../outbound/cards/limits.ts';
import type { ReadPage } from '../../outbound/cards/read-page.ts';
import { isOfTheMoment } from '../../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { TaskKilled } from '../../runtime/process-pool.ts';
import type { DecodedPicture, PictureTask } from '../../services/media/decode-picture.task.ts';
import { mediaLimits } from '../../services/media/limits.ts';
import type { NetworkServices } from '../../services/network-services.ts';
import { storeFile } from '../media/store-files.ts';

const pictureTask = taskModule('services/media/decode-picture.task');
const creatorMilliseconds = 5_000;

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
  if (!services.options.cards) return { url };
  const { failedMilliseconds } = keptLimits;
  const page = await orFailure(fetchPage({ fetcher, htmlPool: services.htmlPool }, url));
  if (page === undefined) return { url };
  if ('ok' in page) {
    if (!isOfTheMoment(page)) return { url };
    return { url, againMilliseconds: Math.max(failedMilliseconds, page.retryAfterMilliseconds ?? 0) };
  }
  if (page instanceof Failure) return { url, againMilliseconds: failedMilliseconds };
  const authorId = await authorOf(services, page, cause);
  const { picture, ...shown } = (await pictureOf(services, fetcher, page.imageUrl)) ?? {};
  const card: Card = { ...withoutPlayer(page.card, shown), ...shown, ...(authorId === undefined ? {} : { authorId }) };
  return { url, card, ...(picture === undefined ? {} : { picture }) };
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
function withoutPlayer(card: Card, picture: Partial<Card>): Card {
  if (card.type !== undefined && card.type !== 'link' && (card.width ?? 0) > 0) {
    delete picture.width;
    delete picture.height;
  }
  return card;
}

/** The account that the page names, where that account allows the host of the page to name it (`attributionDomains`). */
async function authorOf(
  { resolver, snapshots }: NetworkServices,
  { creator, card }: ReadPage,
  cause?: string,
): Promise<Id | undefined> {
  if (creator === undefined || !/^[^@\s/]{1,200}@[^@\s/]{1,200}$/.test(creator)) return undefined;
  const accountId = await orFailure(resolver.resolveHandle(creator.toLowerCase(), creatorMilliseconds, cause));
  if (accountId === undefined || accountId instanceof Failure) return undefined;
  const { hostname } = new URL(card.url);
  const allowed = findProfile(snapshots, accountId)?.attributionDomains ?? [];
  return allowed.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)) ? accountId : undefined;
}

type StoredPicture = Pick<Card, 'image' | 'blurhash' | 'width' | 'height'> & { readonly picture: HeldBlob };

/** Undefined where there is none that can be shown: the card stays without it. */
async function pictureOf(
  services: NetworkServices,
  fetcher: Fetcher,
  imageUrl: string | undefined,
): Promise<StoredPicture | undefined> {
  if (imageUrl === undefined) return undefined;
  const { allowHttp } = fetcher.connections.policy;
  const fetched = await fetcher.get({
    url: allowHttp ? imageUrl : imageUrl.replace(/^http:/, 'https:'),
    accept: 'image/*',
    bytesMax: cardLimits.pictureBytesMax,
    isWantedType: (type) => /^\s*(?:image\/|application\/octet-stream)/i.test(type),
  });
  if (!fetched.ok) return undefined;
  const name = `card-${randomUUID()}`;
  const folder = services.incoming.pathOf(name);
  try {
    await mkdir(folder, { recursive: true });
    const task: PictureTask = { file: join(folder, 'picture'), folder: join(folder, 'decoded'), form: 'card' };
    await writeFile(task.file, fetched.body);
    return await stored(
      services,
      await services.mediaPool.run(pictureTask, 'decodePicture', task, mediaLimits.pictureMilliseconds),
    );
  } catch (error) {
    if (error instanceof Failure || error instanceof TaskKilled) return undefined;
    throw error;
  } finally {
    await services.incoming.remove(name);
  }
}

async function stored(services: NetworkServices, { original, blurhash }: DecodedPicture): Promise<StoredPicture> {
  const picture = await storeFile(services, original);
  const { width, height } = original;
  return { picture, image: picture.name, width, height, ...(blurhash === undefined ? {} : { blurhash }) };
}
