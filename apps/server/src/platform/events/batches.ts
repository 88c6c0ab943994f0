/** Ids in portions: an event is small. */

/** So many ids keep an event under 2 kB. */
const IDS_PER_EVENT = 50

/** Ids in portions of one event each. */
export const eventBatches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_PER_EVENT) }, (_, index) => ids.slice(index * IDS_PER_EVENT, (index + 1) * IDS_PER_EVENT))
