/** Every bound of the pages for browsers. */
export const webLimits = {
  /** Statuses on a page of a timeline or a profile. */
  pageStatuses: 20,
  /** People on a page of a list of them. */
  pagePeople: 40,
  /** People that a list is offered before anybody was looked for. */
  proposedPeople: 5,
  /** Applications in the settings; all of them can be revoked at once. */
  pageAuthorizations: 100,
  /** People of a conversation who are named; the rest is counted. */
  namedPeopleMax: 3,
  /** Empty rows of a form of a filter. */
  newFilterWords: 3,
  /** Above so many unread notifications are not counted. */
  unreadCountedMax: 40,
  /** Of a post that a notification is about. */
  quotedCharactersMax: 140,
  /** Answers shown below a status. */
  threadAnswersMax: 200,
  /** How far the answers of a thread are indented. */
  threadIndentationMax: 4,
  formBytesMax: 65_536,
  titleCharactersMax: 70,
  descriptionCharactersMax: 280,
  /** New statuses sent at once to a page that was away; with more of them it is told to load again. */
  caughtUpStatusesMax: 20,
  /** A live page looks for what it may have missed so long after it opened, and then again and again. */
  firstCheckMilliseconds: 1_000,
  checkMilliseconds: 15_000,
  assetAgeSeconds: 365 * 24 * 60 * 60,
  unversionedAssetAgeSeconds: 60 * 60,
} as const;
