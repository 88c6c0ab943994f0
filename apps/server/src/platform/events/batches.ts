/** Splits ids into batches, so that events stay small. */

/** Ids per event; this keeps it under 2 kB. */
const IDS_PER_EVENT = 50

/** Return ids, or things with ids, in batches of one event each. */
export const eventBatches = <Named>(ids: readonly Named[]): Named[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_PER_EVENT) }, (_, index) => ids.slice(index * IDS_PER_EVENT, (index + 1) * IDS_PER_EVENT))
