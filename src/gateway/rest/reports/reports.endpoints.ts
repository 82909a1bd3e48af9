/** Reports by the user (specification 2.8, 4.10). */
import { z } from 'zod';
import { reportsOf } from '../../../actors/account/reports/reports.queries.ts';
import { type Report, reportCategories } from '../../../actors/account/reports/reports.records.ts';
import { shownReport } from '../../../operations/presentation/reports.ts';
import { reportAccount } from '../../../operations/reports/report-account.ts';
import type { Id } from '../../../runtime/ids.ts';
import { ReportEntity, reportEntity } from '../../entities/report.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { json } from '../../http/answers.ts';
import { boolean, choice, id, idList, pageParameters, text, textList, wordList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { answerPage } from '../accounts/answers.ts';

function entityOf(services: GatewayServices, report: Report, accountId: Id) {
  const shown = shownReport(services, report, accountId);
  return shown && reportEntity(shown, services.addresses);
}

export const getReports = endpoint({
  method: 'GET',
  path: '/api/v1/reports',
  authentication: 'user',
  scopes: ['read'],
  parameters: z.object(pageParameters(20, 40)),
  summary: 'Lists the reports by the user, latest first.',
  answer: z.array(ReportEntity),
  handler({ services, grant, request }, given) {
    const { snapshots } = services;
    return answerPage(
      request,
      given,
      (bounds) => reportsOf(snapshots, grant.accountId, bounds),
      (report) => entityOf(services, report, grant.accountId),
    );
  },
});

export const postReport = endpoint({
  method: 'POST',
  path: '/api/v1/reports',
  authentication: 'user',
  scopes: ['write:reports'],
  parameters: z.object({
    account_id: id,
    status_ids: idList.default([]),
    collection_ids: idList.default([]),
    comment: text.default(''),
    forward: boolean,
    forward_to_domains: wordList,
    category: choice(reportCategories),
    rule_ids: textList.default([]),
  }),
  summary: "Reports an account to the staff of this server and of the account's server.",
  answer: ReportEntity,
  async handler(context, given) {
    const report = await reportAccount(context, {
      targetId: given.account_id,
      statusIds: given.status_ids,
      collectionIds: given.collection_ids,
      ruleIds: given.rule_ids,
      category: given.category,
      comment: given.comment,
      forward: given.forward,
      forwardToDomains: given.forward_to_domains?.filter((domain) => domain !== undefined),
    });
    return json(entityOf(context.services, report, context.grant.accountId));
  },
});

export const reportEndpoints = [getReports, postReport];
