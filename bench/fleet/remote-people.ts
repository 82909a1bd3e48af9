/** The profiles of people of other servers as this server has learned them. */
import type { Profile } from '../../src/actors/account/profile/profile.records.ts';
import { testProfile } from '../../test/support/profile.ts';
import type { RemotePerson } from '../load/remote/people.ts';

/** As the directory is told when the actor's document was fetched. */
export function profileOf({ host, username, uri, keyId }: RemotePerson, publicKeyPem: string): Profile {
  return testProfile({
    username,
    domain: host,
    displayName: `Remote ${username}`,
    createdAt: 0,
    updatedAt: 0,
    remote: {
      uri,
      url: `http://${host}/@${username}`,
      inbox: `${uri}/inbox`,
      sharedInbox: `http://${host}/inbox`,
      followers: `${uri}/followers`,
      publicKeyId: keyId,
      publicKeyPem,
    },
  });
}
