/** What the endpoints that publish and edit a status share: how clients spell what was written. */
import { z } from 'zod';
import { validationFailure } from '../../../runtime/errors.ts';
import { boolean, text, wordList } from '../../http/parameter-types.ts';

/** To be spread into an object schema. */
export const writtenParameters = {
  status: text,
  spoiler_text: text,
  sensitive: boolean,
  language: text,
  media_ids: wordList,
  poll: z.unknown().optional(),
};

type WrittenParameters = {
  readonly [Name in keyof typeof writtenParameters]?: z.output<(typeof writtenParameters)[Name]>;
};

/** Media and polls are not served yet: asking for them is refused, never ignored. Throws Failure validation. */
export function writtenOf({ status, spoiler_text: spoilerText, sensitive, language, ...given }: WrittenParameters) {
  if (given.media_ids !== undefined) throw validationFailure('Media attachments are not available on this server');
  if (given.poll !== undefined && given.poll !== null)
    throw validationFailure('Polls are not available on this server');
  return { text: status ?? '', spoilerText: spoilerText ?? '', sensitive, language };
}
