/** The shape of the Preferences entity. */
import { z } from 'zod';
import { expandedMedia } from '../../actors/account/profile/profile.records.ts';
import { quotePolicies } from '../../actors/account/quotes/quotes.records.ts';
import { replyPolicies } from '../../actors/account/statuses/reply-policy.records.ts';
import { flag, language } from './values.ts';

/** Those of quotes and GIFs were added by newer releases than the reference; that of replies is ours. */
export const PreferencesEntity = z.strictObject({
  'posting:default:visibility': z.enum(['public', 'unlisted', 'private', 'direct']),
  'posting:default:sensitive': flag,
  'posting:default:language': language.nullable(),
  'reading:expand:media': z.enum(expandedMedia),
  'reading:expand:spoilers': flag,
  'posting:default:quote_policy': z.enum(quotePolicies),
  'posting:default:reply_policy': z.enum(replyPolicies),
  'reading:autoplay:gifs': flag,
});
