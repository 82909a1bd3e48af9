/** Bounds of remote HTML. Characters are UTF-16 units. */
export const htmlLimits = {
  /** What the recogniser examines, and its greatest depth: its stack is one integer, two bits a level. */
  recognisedCharactersMax: 100_000,
  recognisedNestingMax: 12,
  /** What the sanitiser reads of a document: the rest is cut off. The number of tags bounds its worst case. */
  rawCharactersMax: 1_048_576,
  rawTagsMax: 10_000,
  /** What it keeps: visible text, and the whole markup (a stored value has a bound of its own). */
  shownCharactersMax: 100_000,
  markupCharactersMax: 200_000,
  nestingMax: 64,
  linkCharactersMax: 4_096,
  imageDescriptionCharactersMax: 1_500,
  /** Documents per task of the pool, parallel tasks, and documents waiting. */
  batchDocumentsMax: 64,
  batchCharactersMax: 262_144,
  batchesInFlightMax: 2,
  waitingDocumentsMax: 4_096,
  waitingCharactersMax: 16_777_216,
} as const;

/** Throws when bounds contradict each other. Called at start. */
export function assertHtmlLimits(): void {
  if (htmlLimits.recognisedNestingMax > 15)
    throw new Error('recognisedNestingMax must fit two bits a level in 31 bits');
  if (htmlLimits.shownCharactersMax > htmlLimits.markupCharactersMax)
    throw new Error('markupCharactersMax must hold the shown characters');
}
