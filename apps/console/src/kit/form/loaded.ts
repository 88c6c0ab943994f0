/** The initial values of a form, which may still be loading, or fail to load. A form has to state which. */
import type { UseQueryResult } from '@tanstack/react-query'

export type Loaded<Values> =
  | { status: 'ready'; values: Values }
  | { status: 'loading' }
  | { status: 'error'; error: unknown; retry: () => void }

/** Return the values of a form that needs nothing from the server. */
export const ready = <Values>(values: Values): Loaded<Values> => ({ status: 'ready', values })

/** Return the values of a form that a read call fills. */
export function loadedFrom<Data, Values>(query: UseQueryResult<Data>, valuesOf: (data: Data) => Values): Loaded<Values> {
  if (query.data !== undefined) return { status: 'ready', values: valuesOf(query.data) }
  return query.isError ? { status: 'error', error: query.error, retry: () => void query.refetch() } : { status: 'loading' }
}
