/** Commands about appeals against strikes. */
import type { AppealedStrike } from '../../../actors/account/moderation/appeals.queries.ts';
import { notificationLimits } from '../../../actors/account/notifications/limits.ts';
import { appealStateNames, stateOfAppeal } from '../../../actors/policy/appeals.ts';
import { approveAppeal, listAppeals, rejectAppeal } from '../../../operations/administration/appeals.ts';
import { rulesListedMax } from '../../../operations/administration/domain-blocks.ts';
import { parseId } from '../../../runtime/ids.ts';
import { command } from './command.ts';
import { asOneLine, UsageError, wholeNumber, word } from './reading.ts';

const appealsListed = 20;

function read(given: string) {
  if (parseId(given) === undefined) throw new UsageError(`${given} is not the number of an appeal.`);
  return { appealId: given };
}

const list = command({
  words: 'appeals list',
  flags: {
    state: { value: 'STATE', sentence: `One of ${appealStateNames.join(', ')}; pending by default.` },
    limit: { value: 'NUMBER', sentence: `How many to list, ${appealsListed} by default.` },
  },
  sentence: 'Lists what accounts say against decisions about them, the latest first.',
  read: (_argument, flags) => ({
    state: word(flags, 'state', appealStateNames),
    limit: wholeNumber(flags, 'limit', rulesListedMax) ?? appealsListed,
  }),
  operation: listAppeals,
  print: ({ items }) => (items.length === 0 ? ['There are none.'] : items.flatMap(describe)),
});

function describe({ accountId, strike, appeal }: AppealedStrike): string[] {
  const { appealId, at, text } = appeal;
  return [
    `${appealId}  ${new Date(at).toISOString()}  ${stateOfAppeal(appeal)}: account ${accountId}, ${strike.action} of ${new Date(strike.createdAt).toISOString()}`,
    ...(strike.text === ''
      ? []
      : [`  it was told: ${asOneLine(strike.text, notificationLimits.warningCharactersMax)}`]),
    `  it says: ${asOneLine(text, notificationLimits.appealCharactersMax)}`,
  ];
}

const approve = command({
  words: 'appeals approve',
  argument: 'ID',
  sentence: 'Approves an appeal: what was done is taken back, but not what was deleted.',
  read,
  operation: approveAppeal,
  print: (_appealed, { appealId }) => [`Approved the appeal ${appealId}.`],
});

const reject = command({
  words: 'appeals reject',
  argument: 'ID',
  sentence: 'Rejects an appeal.',
  read,
  operation: rejectAppeal,
  print: (_appealed, { appealId }) => [`Rejected the appeal ${appealId}.`],
});

export const appealCommands = [list, approve, reject];
