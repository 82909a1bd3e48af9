/** Remote HTML. Characters are UTF-16 units. */
export const htmlLimits = {
  /** What the recogniser looks at, and how deep it follows; its stack is one integer, two bits a level. */
  recognisedCharactersMax: 100_000,
  recognisedNestingMax: 12,
  /** What the sanitiser reads of a document: the rest is cut off. The number of tags bounds its worst case. */
  rawCharactersMax: 1_048_576,
  rawTagsMax: 10_000,
  /** What it keeps: text that a reader sees, and the whole markup (a stored value has a bound of its own). */
  shownCharactersMax: 100_000,
  markupCharactersMax: 200_000,
  nestingMax: 64,
  linkCharactersMax: 4_096,
  imageDescriptionCharactersMax: 1_500,
  /** Documents sent to the pool together, batches there at once, and what may wait in front of it. */
  batchDocumentsMax: 64,
  batchCharactersMax: 262_144,
  batchesInFlightMax: 2,
  waitingDocumentsMax: 4_096,
  waitingCharactersMax: 16_777_216,
} as const;

/** Throws when bounds contradict each other: asserted at start. */
export function assertHtmlLimits(): void {
  if (htmlLimits.recognisedNestingMax > 15)
    throw new Error('recognisedNestingMax must fit two bits a level in 31 bits');
  if (htmlLimits.shownCharactersMax > htmlLimits.markupCharactersMax)
    throw new Error('markupCharactersMax must hold the shown characters');
}
