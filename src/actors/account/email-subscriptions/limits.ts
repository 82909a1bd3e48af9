/** Bounds of subscriptions by mail, with their units in their names. */
const dayMilliseconds = 24 * 60 * 60 * 1000;

export const emailSubscriptionLimits = {
  /** Also those that nobody has confirmed yet. */
  perAccountMax: 5_000,
  emailCharactersMax: 320,
  /** After that nothing is kept of an address that was not confirmed, and the link of its mail has ended. */
  unconfirmedMilliseconds: 3 * dayMilliseconds,
  /** Until an address that was not confirmed is sent the link again. */
  confirmationAgainMilliseconds: 15 * 60 * 1000,
  /** Posts that follow each other go into one mail. */
  mailWaitMilliseconds: 5 * 60 * 1000,
  /** Mails to each subscriber in a day; later posts go into the first one of the next. */
  mailsADayMax: 12,
  /** The newest ones; the mail leads to the others. */
  postsPerMailMax: 10,
  /** Mails that one turn causes. */
  mailsPerTurnMax: 100,
  /** Between these, so that other mails pass. */
  mailsPauseMilliseconds: 5_000,
} as const;
