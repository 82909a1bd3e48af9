/** What the rules inside the account must find, and what they must let pass. */
import { floorsOfAccount, stateIsWrittenAtHome } from './rules/floors.ts';
import type { Examples } from './rules-examples.ts';

const account = 'src/actors/account';

export const insideTheAccount: Examples[] = [
  {
    rule: floorsOfAccount,
    bad: [
      [`${account}/statuses/publish.ts`, `\nimport { pollVotes } from '../polls/polls.state.ts';`, 2],
      [`${account}/polls/vote.ts`, `import { isQuoted } from '../quotes/quotes.queries.ts';`, 1],
      [`${account}/polls/vote.ts`, `import { interests } from '../library.queries.ts';`, 1],
      [`${account}/remote/purge.ts`, `import { pollHooks } from '../polls/poll.hooks.ts';`, 1],
      [`${account}/unheard-of/vote.ts`, '', 1],
      [`${account}/hooks-of-statuses.ts`, `import { vote } from './polls/vote.ts';`, 1],
    ],
    good: [
      [
        `${account}/polls/vote.ts`,
        `import { statuses } from '../statuses/statuses.state.ts'; import './store-poll.ts';`,
      ],
      [`${account}/statuses/publish.ts`, `import { PollTally } from '../polls/polls.records.ts';`],
      [`${account}/statuses/publish.ts`, `import { statusHooks } from '../hooks-of-statuses.ts';`],
      [`${account}/hooks-of-statuses.ts`, `import { pollHooks } from './polls/poll.hooks.ts';`],
      [`${account}/library.queries.ts`, `import { pollVotes } from './polls/polls.state.ts';`],
    ],
  },
  {
    rule: stateIsWrittenAtHome,
    bad: [
      [
        `${account}/polls/vote.ts`,
        `import {\n  replies,\n  statuses,\n} from '../statuses/statuses.state.ts';\nturn.put(statuses, [id], status);`,
        5,
      ],
      [`${account}/polls/vote.ts`, `import { notes } from '../notes/notes.state.ts';\nturn.delete(\n  notes, key);`, 2],
    ],
    good: [
      [`${account}/polls/vote.ts`, `import { pollVotes } from './polls.state.ts';\nturn.put(pollVotes, key, true);`],
      [`${account}/polls/vote.ts`, `import { notes } from '../notes/notes.state.ts';\nturn.get(notes, key);`],
    ],
  },
];
