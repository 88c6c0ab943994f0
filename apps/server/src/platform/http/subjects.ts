/** Subjects of an answer: persons, users and records it shows, for the log of reads. */

/** Return the ids of a row: its own, that of the person or user it is about, and that of the watch-list person it shows. */
const idsOf = (row: unknown): string[] => {
  const { id, personId, userId, watchList } = (row ?? {}) as Record<'id' | 'personId' | 'userId' | 'watchList', unknown>
  const shown = (watchList as { personId?: unknown } | null | undefined)?.personId
  return [...new Set([id, personId, userId, shown].filter((one) => typeof one === 'string' || typeof one === 'number').map(String))]
}

/** Return the ids of the rows of a list, else of the requested record. */
export function subjectsOf(data: unknown, { params, query }: { params: unknown; query: unknown }): string[] {
  const { content } = (data ?? {}) as { content?: unknown }
  const rows = Array.isArray(content) ? content : Array.isArray(data) ? data : null
  if (rows !== null) return [...new Set(rows.slice(0, 100).flatMap(idsOf))]
  const own = idsOf(data)
  return own.length > 0 ? own : [...idsOf(params), ...idsOf(query)]
}
