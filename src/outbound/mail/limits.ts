/** Bounds of mail, with their units in their names. Those of the log: actors/partition/mails.state.ts. */
export const mailLimits = {
  /** Mails for one address in an hour; what is above is dropped, and counted. */
  perRecipientAndHourMax: 20,
  /** Of those, what may be switched off: a crowd that mentions somebody hides no warning about the account. */
  optionalPerRecipientAndHourMax: 12,
  /** Addresses that were written to lately. */
  recipientsKnownMax: 20_000,
  /** Parallel connections of one thread to the SMTP server. */
  connectionsMax: 4,
  connectMilliseconds: 15_000,
  greetingMilliseconds: 30_000,
  /** For each answer: servers that check for spam take their time. */
  answerMilliseconds: 120_000,
  /** Of what a mail server says, as it is kept and shown. */
  responseCharactersMax: 300,
  /** Lines of a dialogue that are shown to the operator. */
  dialogueLinesMax: 100,
  /** Until a partition that could not be told where mail goes is told again. */
  toldAgainMilliseconds: 5_000,
  /** Mails kept as files where there is no SMTP server; the oldest are removed. */
  filesMax: 1_000,
} as const;
