/** Annual reports of the Mastodon API. This server makes none: lists are empty, and no year is available. */
import { z } from 'zod';
import { Failure } from '../../../runtime/errors.ts';
import { AccountEntity } from '../../entities/account.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

const reading = { authentication: 'user', scopes: ['read:accounts'] } as const;
const writing = { authentication: 'user', scopes: ['write:accounts'] } as const;

const year = z.string().transform((digits) => {
  if (!/^[0-9]{4}$/.test(digits)) throw new Failure('notFound');
  return Number(digits);
});
const parameters = z.object({ year });

function none(): never {
  throw new Failure('notFound');
}

const list = endpoint({
  ...reading,
  method: 'GET',
  path: '/api/v1/annual_reports',
  summary: 'Lists the annual reports of the user; this server makes none.',
  answer: z.strictObject({
    annual_reports: z.array(z.looseObject({ year: z.int() })),
    accounts: z.array(AccountEntity),
    statuses: z.array(UserStatusEntity),
  }),
  handler: () => json({ annual_reports: [], accounts: [], statuses: [] }),
});

const get = endpoint({
  ...reading,
  method: 'GET',
  path: '/api/v1/annual_reports/:year',
  parameters,
  summary: 'Returns the annual report of a year; this server makes none.',
  answer: z.never(),
  handler: none,
});

const state = endpoint({
  ...reading,
  method: 'GET',
  path: '/api/v1/annual_reports/:year/state',
  parameters,
  summary: 'Whether an annual report is available; this server makes none.',
  answer: z.strictObject({ state: z.enum(['available', 'generating', 'eligible', 'ineligible']) }),
  handler: () => json({ state: 'ineligible' }),
});

/** The same answer as Mastodon's for a year without a report. */
const generate = endpoint({
  ...writing,
  method: 'POST',
  path: '/api/v1/annual_reports/:year/generate',
  parameters,
  summary: 'Requests the annual report of a year; this server makes none.',
  answer: EmptyEntity,
  handler: () => empty(),
});

const read = endpoint({
  ...writing,
  method: 'POST',
  path: '/api/v1/annual_reports/:year/read',
  parameters,
  summary: 'Marks an annual report as read; this server makes none.',
  answer: z.never(),
  handler: none,
});

export const annualReportEndpoints = [list, get, state, generate, read];
