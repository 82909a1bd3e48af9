/** What publishing and editing a status share: the text that was written, checked, and rendered with its mentions. */
import { z } from 'zod';
import type { PublishStatus } from '../../../actors/account/statuses/statuses.messages.ts';
import { cleanText } from '../../../actors/text/characters.ts';
import { renderStatusText } from '../../../actors/text/render.ts';
import { isLanguage } from '../../../operations/languages.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';
import { boolean, text, wordList } from '../../http/parameter-types.ts';
import { exceedsStatusCharacters } from '../text-lengths.ts';
import { distinctMentions, type FoundMention, renderedMentions } from './mentions.ts';

export const statusCharactersMax = 500;

/** To be spread into an object schema. */
export const writtenParameters = {
  status: text,
  spoiler_text: text,
  sensitive: boolean,
  language: text,
  media_ids: wordList,
  poll: z.unknown().optional(),
};

interface Given {
  readonly status?: string | undefined;
  readonly spoiler_text?: string | undefined;
  readonly media_ids?: readonly string[] | undefined;
  readonly poll?: unknown;
}

export interface WrittenStatus {
  readonly text: string;
  readonly spoilerText: string;
}

type Content = Pick<PublishStatus, 'text' | 'content' | 'spoilerText' | 'mentions' | 'tags' | 'emojis' | 'attachments'>;

/**
 * Throws Failure validation for what is blank or too long. Media and polls are not served yet: asking for them is
 * refused, never ignored.
 */
export function writtenStatus(given: Given): WrittenStatus {
  if (given.media_ids !== undefined) throw validationFailure('Media attachments are not available on this server');
  if (given.poll !== undefined && given.poll !== null)
    throw validationFailure('Polls are not available on this server');
  const written = { text: cleanText(given.status ?? ''), spoilerText: cleanText(given.spoiler_text ?? '') };
  if (written.text === '') throw validationFailure("Text can't be blank");
  if (exceedsStatusCharacters(written.text, written.spoilerText, statusCharactersMax)) {
    throw validationFailure(`Text character limit of ${statusCharactersMax} exceeded`);
  }
  return written;
}

/** Of the accounts found, those that the text mentions are in it, each once. */
export function contentOf(
  services: Services,
  { text, spoilerText }: WrittenStatus,
  found: ReadonlyMap<string, FoundMention>,
): Content {
  const rendered = renderStatusText(text, { origin: services.addresses.origin, mentions: renderedMentions(found) });
  return {
    text,
    content: rendered.html,
    spoilerText,
    mentions: distinctMentions(rendered.handles.map((handle) => found.get(handle)!)),
    tags: rendered.tags,
    emojis: [],
    attachments: [],
  };
}

/** What comes with a warning is sensitive, whatever its author says (behaviour of the Mastodon API). */
export function isSensitive({ spoilerText }: WrittenStatus, said: boolean): boolean {
  return said || spoilerText !== '';
}

/** What is no language counts as not given. */
export function languageOf(given: string | undefined): string | undefined {
  return given !== undefined && isLanguage(given) ? given : undefined;
}
