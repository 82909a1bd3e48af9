/** A server with many accounts in every standing, and reports about them: what staff page through. */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { flowOfAccount } from '../../src/services/services.ts';
import { remotePerson } from '../load/remote/people.ts';
import type { Seed } from './cache.ts';
import { partitions } from './community.ts';
import { generateKeys, learn } from './correspondence.ts';
import { inFlight } from './in-flight.ts';
import { openOwners } from './owners.ts';
import { createApplication, createPerson, issueToken } from './people.ts';

export interface TownhallSize {
  /** Here, and on other servers. */
  readonly people: number;
  readonly strangers: number;
  readonly servers: number;
  /** Every second one is closed. */
  readonly reports: number;
  /** Rules for servers. */
  readonly rules: number;
}

export interface TownhallFacts {
  readonly owner: Id;
  /** The oldest ones. */
  readonly people: readonly Id[];
  readonly reports: readonly Id[];
}

/** Of all people: the shares of those in each standing. */
const everySecond = { suspended: 50, limited: 51, sensitized: 53, disabled: 57, pending: 59 };
const port = 21_904;

export function townhallSeed(size: TownhallSize): Seed<TownhallFacts> {
  return {
    name: 'townhall',
    parameters: { ...size, partitions },
    async build(dataDirectory) {
      const owners = await openOwners({ dataDirectory, partitions });
      const applicationId = await createApplication(owners);
      const owner = await createPerson(owners, 'olga');
      await owners.call(Account.changeLogin.to(owner, { role: 'owner' }), 'system');
      await issueToken(owners, applicationId, owner, ['read', 'write', 'admin:read', 'admin:write']);
      const people = await inFlight(size.people, (index) => createPerson(owners, `person${index}`));
      const { publicKeyPem } = generateKeys();
      await inFlight(size.strangers, (index) => {
        const server = remotePerson(index % size.servers, port);
        const uri = `${server.uri}/${index}`;
        return learn(owners, { ...server, username: `stranger${index}`, uri }, publicKeyPem);
      });
      for (const [standing, every] of Object.entries(everySecond)) {
        const chosen = people.filter((_id, index) => index % every === 0);
        await inFlight(chosen.length, (index) => {
          const message =
            standing === 'pending'
              ? Account.changeLogin.to(chosen[index]!, { approved: false })
              : Account.changeStanding.to(chosen[index]!, { [standing]: true });
          return owners.call<unknown>(message, 'system');
        });
      }
      const reports = await inFlight(size.reports, async (index) => {
        const by = people[(index * 7 + 1) % people.length]!;
        const targetId = people[(index * 13 + 3) % people.length]!;
        const said = { targetId, statusIds: [], ruleIds: [], category: 'spam' as const, comment: `Report ${index}` };
        const { reportId } = await owners.call(Account.fileReport.to(by, said), flowOfAccount(by));
        if (index % 2 === 1) {
          const audit = { action: 'resolveReport' as const, by: 'account' as const, accountId: owner };
          await owners.call(Account.resolveReport.to(by, { reportId, resolvedById: owner, audit }), 'system');
        }
        return reportId;
      });
      await owners.close();
      return { owner, people: people.slice(0, 100), reports: reports.slice(0, 100) };
    },
  };
}
