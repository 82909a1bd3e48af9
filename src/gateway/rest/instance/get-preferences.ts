/** GET /api/v1/preferences: the user's preferences for posting and reading. */

import { findLogin, quotePolicyOf, readingOf, replyPolicyOf } from '../../../actors/account/profile/logins.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { PreferencesEntity } from '../../entities/preferences.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const getPreferences = endpoint({
  method: 'GET',
  path: '/api/v1/preferences',
  authentication: 'user',
  scopes: ['read:accounts'],
  summary: 'Returns the preferences of the user.',
  answer: PreferencesEntity,
  handler({ services, grant }) {
    const login = findLogin(services.snapshots, grant.accountId);
    if (login === undefined) throw new Failure('notFound');
    const { expandMedia, expandSpoilers, autoplayGifs } = readingOf(login);
    return json({
      'posting:default:visibility': login.defaultPrivacy,
      'posting:default:sensitive': login.defaultSensitive,
      'posting:default:language': login.defaultLanguage || null,
      'posting:default:quote_policy': quotePolicyOf(login),
      'posting:default:reply_policy': replyPolicyOf(login),
      'reading:expand:media': expandMedia,
      'reading:expand:spoilers': expandSpoilers,
      'reading:autoplay:gifs': autoplayGifs,
    });
  },
});
