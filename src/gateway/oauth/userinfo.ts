/** GET and POST /oauth/userinfo (OpenID Connect Core section 5.3, as in the Mastodon API). */

import type { z } from 'zod';
import { findLocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { shownPictures } from '../entities/account-pictures.ts';
import { UserInfoEntity } from '../entities/oauth.ts';
import { json } from '../http/answers.ts';
import { endpoint } from '../route.ts';

export const userInfo = endpoint({
  methods: ['GET', 'POST'],
  path: '/oauth/userinfo',
  authentication: 'user',
  scopes: ['profile', 'read:accounts'],
  summary: 'Returns the claims of OpenID Connect about the user.',
  answer: UserInfoEntity,
  handler({ services, grant, request }) {
    const { addresses, snapshots } = services;
    const account = findLocalAccount(snapshots, grant.accountId);
    if (account === undefined) throw new Failure('notFound');
    const { username, displayName } = account.profile;
    return json({
      iss: `${request.origin}/`,
      sub: addresses.actor(username),
      name: displayName === '' ? username : displayName,
      preferred_username: username,
      profile: addresses.profile(username),
      picture: shownPictures(account.profile, addresses).avatar,
    } satisfies z.output<typeof UserInfoEntity>);
  },
});
