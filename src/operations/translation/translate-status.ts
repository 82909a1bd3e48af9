/**
 * Translates a public or unlisted status, with all its texts, at the translation server that the operator configured.
 */

import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';
import type { Translator } from '../../services/translator.ts';
import { operation } from '../operation.ts';
import { visibleOriginal } from '../statuses/originals.ts';
import { offeredPair, type Pair, translationLanguages } from './languages.ts';
import { withMarkedEmojis, withoutMarks } from './marked-emojis.ts';

export interface TranslatedStatus {
  readonly statusId: Id;
  /** Sanitised HTML. */
  readonly content: string;
  readonly spoilerText: string;
  readonly language: string;
  readonly detectedSource: string;
  readonly pollOptions: readonly string[] | undefined;
  readonly attachments: readonly { readonly id: Id; readonly description: string }[];
}

/** A status is translated once per version and language, and read by many. */
interface Translations {
  readonly done: SizedMap<string, TranslatedStatus>;
  readonly underWay: Map<string, Promise<TranslatedStatus>>;
}

const translationsOf = member(({ caches }: Pick<Services, 'caches'>): Translations => {
  const done = new SizedMap<string, TranslatedStatus>({ bytesMax: caches.bytesMax('translations'), bytesOf });
  caches.measure('translations', done);
  return { done, underWay: new Map() };
});

export const translateStatus = operation({
  input: z.object({ statusId: identifier, language: z.string().optional() }),
  permission: 'resolve',
  /** Throws Failure notFound without a translator, or for an unknown status; forbidden; remoteUnreachable. */
  async run({ caller, services }, { statusId, language }): Promise<TranslatedStatus> {
    const { translator, snapshots } = services;
    if (translator === undefined) throw new Failure('notFound');
    const { status, author } = visibleOriginal(services, statusId, caller.accountId);
    if (!isForEverybody(status)) throw new Failure('forbidden');
    const wanted = language ?? findLogin(snapshots, caller.accountId)?.locale ?? 'en';
    const pair = offeredPair(await translationLanguages(services), status.language, wanted);
    return once(services, `${status.id} ${status.editedAt ?? 0} ${pair.target}`, () =>
      translated(services, translator, isLocal(author) ? withWholeLinks(services, status) : status, pair),
    );
  },
});

function isLocal({ profile }: StatusView['author']): boolean {
  return profile.remote === undefined;
}

/** Translated HTML is sanitised like that of other servers, which keeps absolute links only. */
function withWholeLinks({ addresses }: Pick<Services, 'addresses'>, status: Status): Status {
  return { ...status, content: addresses.absoluteLinks(status.content) };
}

function once(
  services: Pick<Services, 'caches' | 'members'>,
  key: string,
  make: () => Promise<TranslatedStatus>,
): TranslatedStatus | Promise<TranslatedStatus> {
  const { done, underWay } = translationsOf(services);
  const known = done.use(key) ?? underWay.get(key);
  if (known !== undefined) return known;
  const made = make().finally(() => underWay.delete(key));
  underWay.set(key, made);
  return made.then((translation) => {
    done.set(key, translation);
    return translation;
  });
}

/** Texts take up to two bytes for each character. */
function bytesOf({ content, spoilerText, pollOptions = [], attachments }: TranslatedStatus, key: string): number {
  const texts = [key, content, spoilerText, ...pollOptions, ...attachments.map(({ description }) => description)];
  return texts.reduce((sum, text) => sum + 2 * text.length, translationBytes);
}

/** The object and its lists. */
const translationBytes = 500;

async function translated(
  { cleanHtml }: Pick<Services, 'cleanHtml'>,
  translator: Translator,
  status: Status,
  pair: Pair,
): Promise<TranslatedStatus> {
  const described = status.attachments.filter(({ description }) => description);
  const plain = [status.spoilerText, ...(status.poll?.options ?? []), ...described.map((one) => one.description ?? '')];
  const content = withMarkedEmojis(
    status.content,
    status.emojis.map(({ shortcode }) => shortcode),
  );
  const [html, texts] = await Promise.all([
    inLanguage(translator, { texts: [content], isHtml: true, ...pair }),
    inLanguage(translator, { texts: plain, isHtml: false, ...pair }),
  ]);
  const [spoilerText = '', ...others] = texts.texts;
  const optionCount = status.poll?.options.length ?? 0;
  return {
    statusId: status.id,
    content: await cleanHtml(withoutMarks(html.texts[0] ?? '')),
    spoilerText,
    language: pair.target,
    detectedSource: html.detectedSource ?? texts.detectedSource ?? pair.source ?? 'und',
    pollOptions: status.poll && others.slice(0, optionCount),
    attachments: described.map(({ id }, index) => ({ id, description: others[optionCount + index] ?? '' })),
  };
}

/** Empty texts are not sent. */
async function inLanguage(translator: Translator, request: Parameters<Translator['translate']>[0]) {
  const given = request.texts.filter((text) => text !== '');
  if (given.length === 0) return { texts: request.texts, detectedSource: undefined };
  const { texts, detectedSource } = await translator.translate({ ...request, texts: given });
  const rest = [...texts];
  return { texts: request.texts.map((text) => (text === '' ? '' : (rest.shift() ?? ''))), detectedSource };
}
