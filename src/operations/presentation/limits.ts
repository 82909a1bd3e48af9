/** Bounds of what a gateway thread keeps for showing statuses. */
export const presentationLimits = {
  statesPerViewerMax: 2_000,
  /** Combinations of viewer state that are kept encoded; there are few as long as all fields are flags. */
  sharedStatesMax: 1_000,
  /** Readings from storage, and statuses that are looked at, between two pauses of long work; looked at in one go. */
  readsPerSlice: 64,
  statusesPerSlice: 256,
  statusesAtOnce: 16,
  /** The newest notifications of an account: read at first, and kept once older ones were asked for. */
  notificationsReadFirst: 40,
  notificationsKeptMax: 400,
  /** The same of conversations. */
  conversationsReadFirst: 20,
  conversationsKeptMax: 80,
  /** Of those who acted in a group, shown in a list. */
  groupSamplesMax: 8,
  /** Stored notifications looked at to complete a group; and to count what is new: in one reading, and readings. */
  groupEntriesMax: 2_000,
  notificationsCountedPerReading: 400,
  notificationReadingsMax: 5,
} as const;
