/** What a form starts from: it may still be on its way, or not come at all. A form has to say which. */
import type { UseQueryResult } from '@tanstack/react-query'

export type Loaded<Values> =
  | { status: 'ready'; values: Values }
  | { status: 'loading' }
  | { status: 'error'; error: unknown; retry: () => void }

/** A form that needs nothing from the server. */
export const ready = <Values>(values: Values): Loaded<Values> => ({ status: 'ready', values })

/** A form filled from a read call. */
export function loadedFrom<Data, Values>(query: UseQueryResult<Data>, valuesOf: (data: Data) => Values): Loaded<Values> {
  if (query.data !== undefined) return { status: 'ready', values: valuesOf(query.data) }
  return query.isError ? { status: 'error', error: query.error, retry: () => void query.refetch() } : { status: 'loading' }
}
