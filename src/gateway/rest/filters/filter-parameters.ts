/** The parameters of filters, as input of operations. */
import { z } from 'zod';
import type { FilterChanges, KeywordChange } from '../../../actors/account/filters/filters.messages.ts';
import { FilterContext, filterActions } from '../../../actors/account/filters/filters.records.ts';
import { filterLimits } from '../../../actors/account/filters/limits.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { httpLimits } from '../../http/limits.ts';
import { boolean, choice, groupList, integerWithin, optionalId, text, textList } from '../../http/parameter-types.ts';

/** Seconds from now; null means never, and so do an empty text and 0, which clients send for it. */
export const expiresIn = z.preprocess(
  (value) => (value === '' || value === 0 || value === '0' ? null : value),
  z.union([z.null(), integerWithin(0, filterLimits.expirySecondsMax)]).optional(),
);

/** 500 keywords of 512 characters fit. */
export const filterBytesMax = httpLimits.bodyBytesMax;

export const filterParameters = {
  title: text,
  context: textList,
  filter_action: choice(filterActions),
  expires_in: expiresIn,
  keywords_attributes: groupList({ id: optionalId, keyword: text, whole_word: boolean, _destroy: boolean }),
};

type Given = z.output<z.ZodObject<typeof filterParameters>>;

export function changesOf({ title, context, filter_action: action, expires_in }: Given): FilterChanges {
  return { title, contexts: contextsOf(context), action, expiresInSeconds: expires_in };
}

export function keywordsOf({ keywords_attributes: keywords = [] }: Given): KeywordChange[] {
  return keywords.map((given) => {
    const { id, keyword, whole_word: wholeWord, _destroy: isRemoved } = given;
    return { id, keyword, wholeWord, isRemoved };
  });
}

/** Each once. An empty list, as in `context[]=`, stays a list. */
export function contextsOf(words: readonly string[] | undefined): FilterContext[] | undefined {
  const parsed = z.array(FilterContext).safeParse(words?.filter((word) => word !== '') ?? []);
  if (!parsed.success) throw validationFailure('Context None or invalid context supplied');
  return words === undefined ? undefined : [...new Set(parsed.data)];
}
