/** Commands about posts: what staff do about them. */
import { deleteStatuses, markStatusesSensitive } from '../../../operations/reports/act-on-statuses.ts';
import { parseId } from '../../../runtime/ids.ts';
import { command } from './command.ts';
import { text, UsageError } from './reading.ts';

/** Numbers, as the socket takes them. */
function numbersIn(argument: string): string[] {
  const numbers = argument.split(/[\s,]+/).filter((one) => one !== '');
  const wrong = numbers.find((one) => parseId(one) === undefined);
  if (wrong !== undefined) throw new UsageError(`${wrong} is not the number of a post.`);
  return numbers;
}

const act = (verb: string, operation: typeof deleteStatuses, sentence: string, done: string) =>
  command({
    words: `posts ${verb}`,
    argument: '"ID …"',
    flags: { text: { value: 'TEXT', sentence: 'What the account is told.' } },
    sentence,
    read: (argument, flags) => ({ statusIds: numbersIn(argument), text: text(flags, 'text') }),
    operation,
    print: (_done, { statusIds }) => [`${done}: ${statusIds.join(' ')}`],
  });

export const postCommands = [
  act('delete', deleteStatuses, 'Deletes posts of an account, which gets a strike.', 'Deleted'),
  act(
    'mark-sensitive',
    markStatusesSensitive,
    'Marks posts of an account as sensitive, which gets a strike.',
    'Marked as sensitive',
  ),
];
