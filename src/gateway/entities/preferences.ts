/** The shape of the Preferences entity. */
import { z } from 'zod';
import { quotePolicies } from '../../actors/account/quotes/quotes.records.ts';
import { flag, language } from './values.ts';

/** The last two were added by newer releases than the reference. */
export const PreferencesEntity = z.strictObject({
  'posting:default:visibility': z.enum(['public', 'unlisted', 'private', 'direct']),
  'posting:default:sensitive': flag,
  'posting:default:language': language.nullable(),
  'reading:expand:media': z.enum(['default', 'show_all', 'hide_all']),
  'reading:expand:spoilers': flag,
  'posting:default:quote_policy': z.enum(quotePolicies),
  'reading:autoplay:gifs': flag,
});
