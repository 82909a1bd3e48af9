/** The lists of staff, with each of their filters, over many accounts, reports and rules: how long a page of 100 takes. */
import { performance } from 'node:perf_hooks';
import { atRest } from '../measure/at-rest.ts';
import { percentile } from '../measure/statistics.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { tokenOf } from '../seed/people.ts';
import { type TownhallFacts, townhallSeed } from '../seed/townhall.ts';

const name = 'townhall';
const millisecondsAtMost = 50;

const accounts = '/api/v2/admin/accounts?limit=100';
const firstAccounts = '/api/v1/admin/accounts?limit=100';
const reports = '/api/v1/admin/reports?limit=100';
const audit = '/api/murmuration/v1/admin/audit_log?limit=100';
const rules = '/api/v1/admin/domain_blocks?limit=100';

function lists({ people: [person], owner, reports: [report] }: TownhallFacts): Readonly<Record<string, string>> {
  return {
    'accounts of version 1': firstAccounts,
    ...Object.fromEntries(
      ['pending', 'disabled', 'silenced', 'suspended', 'sensitized', 'staff', 'remote'].map((one) => [
        `accounts of version 1: ${one}`,
        `${firstAccounts}&${one}=1`,
      ]),
    ),
    accounts,
    ...Object.fromEntries(
      ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'].map((one) => [
        `accounts: ${one}`,
        `${accounts}&status=${one}`,
      ]),
    ),
    'accounts: here': `${accounts}&origin=local`,
    'accounts: elsewhere': `${accounts}&origin=remote`,
    'accounts: elsewhere, suspended': `${accounts}&origin=remote&status=suspended`,
    'accounts: staff': `${accounts}&permissions=staff`,
    'accounts: of a server': `${accounts}&by_domain=127.0.0.2`,
    'accounts: of a server that nobody knows': `${accounts}&by_domain=nobody.example`,
    'accounts: whose name begins so': `${accounts}&username=person9`,
    'accounts: of one name': `${accounts}&username=person77`,
    'accounts: whose displayed name begins so': `${accounts}&display_name=person9`,
    'accounts: of nobody': `${accounts}&username=nobody`,
    'accounts: of an e-mail address': `${accounts}&email=person77@bench.example`,
    'accounts: of an e-mail provider': `${accounts}&email=@bench.example`,
    'accounts: of an address of a network': `${accounts}&ip=192.0.2.7`,
    'accounts: in the middle': `${accounts}&max_id=${person}`,
    'accounts: several conditions': `${accounts}&origin=local&status=suspended&username=person1`,
    'reports: open': reports,
    'reports: closed': `${reports}&resolved=true`,
    'reports: by somebody': `${reports}&account_id=${person}`,
    'reports: about somebody': `${reports}&target_account_id=${person}`,
    'reports: about somebody, closed': `${reports}&resolved=true&target_account_id=${person}`,
    'reports: in the middle': `${reports}&max_id=${report}`,
    'audit log': audit,
    'audit log: of an account': `${audit}&account_id=${owner}`,
    'audit log: of a kind': `${audit}&action=resolveReport`,
    'audit log: about a kind of thing': `${audit}&target_type=settings`,
    'audit log: of an account and a kind that it has not done': `${audit}&account_id=${owner}&action=addRule`,
    'audit log: about one thing': `${audit}&target_type=report&target_id=${report}`,
    'rules for servers': rules,
    'page of accounts': '/api/v1/admin/accounts?limit=200',
  };
}

export const townhallScenario: Scenario = {
  name,
  summary: 'pages of 100 of the lists of staff, with each filter, over many accounts, reports and rules',
  async run({ size, seeds, samples, profileFolder }) {
    const data = await seeds.open(townhallSeed(size.townhall));
    const server = await startServer({ dataDirectory: data.dataDirectory, profileFolder });
    try {
      await addRules(server, data.facts, size.townhall.rules);
      // Thousands of mails of the seed are written first, and the rules are applied to known accounts.
      await atRest(server);
      const figures: Figure[] = [];
      for (const [what, path] of Object.entries(lists(data.facts))) {
        const asked = await timesOf(server, path, tokenOf(data.facts.owner), size.townhallRequests);
        samples.write({ scenario: name, kind: 'list', what, path, ...asked });
        figures.push({
          what: `staff's ${what}: slowest of ${size.townhallRequests}`,
          measured: percentile(asked.milliseconds, 100),
          unit: 'ms',
          target: { atMost: millisecondsAtMost },
          beside: `median ${percentile(asked.milliseconds, 50).toFixed(1)} ms, ${asked.rows} rows, status ${asked.status}`,
        });
      }
      return figures;
    } finally {
      await server.stop();
      data.remove();
    }
  },
};

async function addRules({ origin }: Server, { owner }: TownhallFacts, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => `bad${index}.example,silence,false,false,Rude,false`);
  const csv = ['#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate', ...rows].join('\n');
  const headers = { authorization: `Bearer ${tokenOf(owner)}`, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/api/v1/admin/domain_blocks/import`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ csv }) },
  });
  if (!answer.ok) throw new Error(`the rules are answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** One after the other, as somebody of the staff asks; the first, which nobody has asked before, counts as well. */
async function timesOf({ origin }: Server, path: string, token: string, count: number) {
  const headers = { authorization: `Bearer ${token}` };
  const milliseconds: number[] = [];
  let rows = 0;
  let status = 0;
  for (let index = 0; index < count; index += 1) {
    const begunAt = performance.now();
    const answer = await fetch(origin + path, { headers });
    const body: unknown = await answer.json();
    milliseconds.push(performance.now() - begunAt);
    rows = Array.isArray(body) ? body.length : 0;
    ({ status } = answer);
  }
  return { milliseconds, rows, status };
}
