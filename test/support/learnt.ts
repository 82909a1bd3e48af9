/** An account of another server, as a gateway gets to know it: its id is in the slot of its address. */
import { Directory } from '../../src/actors/directory/directory.messages.ts';
import type { TestServer } from './actors.ts';
import type { Person } from './observer.ts';
import { testProfile } from './profile.ts';

export async function learnt(actors: Pick<TestServer, 'call'>, username: string, domain: string): Promise<Person> {
  const uri = `https://${domain}/users/${username}`;
  const inbox = `${uri}/inbox`;
  const remote = { uri, url: uri, inbox, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const profile = testProfile({ username, domain, remote });
  const { accountId: id } = await actors.call(Directory.learn.to(uri, { profile }));
  return { id, name: username, destination: { host: domain, inbox } };
}
