/** The parameters shared by publishing and editing a status. */
import type { z } from 'zod';
import { quotePolicies } from '../../../actors/account/quotes/quotes.records.ts';
import { boolean, choice, group, idList, integer, text, textList } from '../../http/parameter-types.ts';
import { replyPolicyOf, replyPolicyParameters } from './reply-policy-parameters.ts';

/** To be spread into an object schema. */
export const writtenParameters = {
  status: text,
  spoiler_text: text,
  sensitive: boolean,
  language: text,
  media_ids: idList,
  quote_approval_policy: choice(quotePolicies),
  ...replyPolicyParameters,
  poll: group({ options: textList, expires_in: integer, multiple: boolean, hide_totals: boolean }),
};

type WrittenParameters = {
  readonly [Name in keyof typeof writtenParameters]?: z.output<(typeof writtenParameters)[Name]>;
};

export function writtenOf({ status, spoiler_text: spoilerText, sensitive, language, ...given }: WrittenParameters) {
  const { quote_approval_policy: quotePolicy, media_ids: mediaIds } = given;
  const texts = { text: status ?? '', spoilerText: spoilerText ?? '' };
  const policies = { quotePolicy, replyPolicy: replyPolicyOf(given) };
  return { ...texts, sensitive, language, poll: pollOf(given.poll), ...policies, mediaIds };
}

function pollOf(given: WrittenParameters['poll']) {
  if (given === undefined) return undefined;
  const { options = [], expires_in: expiresInSeconds, multiple = false, hide_totals: hideTotals = false } = given;
  return {
    options: options.filter((option) => option !== undefined),
    multiple,
    hideTotals,
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
  };
}
