/** What moderators write down, and what is known of both sides of a report. */

export const moderation = {
  notes: {
    ofAccount: 'Notes about the account',
    ofReport: 'Notes about the report',
    ofServer: 'Notes about the server',
    hint: 'Only moderators see them.',
    none: 'There are none.',
    text: 'Note',
    add: 'Write it down',
    remove: 'Remove',
    by: 'by {name}',
  },
  history: {
    ofReporter: 'Other reports by {account}',
    noneOfReporter: 'There are none.',
    outcomes: 'Led to a decision: {struck}. Closed without one: {dismissed}. Open: {open}.',
    dismissed: 'closed without a decision',
    open: 'open',
  },
} as const;
