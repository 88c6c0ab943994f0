/** Ids that a DELETE call names in the query or the body (AMBIGUITIES 51). */
import { InvalidRequest } from './refusal.ts'

interface Naming<Named> {
  query: Named
  body: Named | undefined
}

/** Return the ids that a call names. @throws InvalidRequest where there is none */
export function deletedIds({ query, body }: Naming<{ ids?: string[] | undefined }>): string[] {
  const ids = query.ids ?? body?.ids ?? []
  if (ids.length === 0) throw new InvalidRequest([{ path: 'ids', rule: 'required' }])
  return ids
}

/** The same for a call on one record. @throws InvalidRequest where none is named */
export function deletedId({ query, body }: Naming<{ id?: string | undefined }>): string {
  const id = query.id ?? body?.id
  if (id === undefined) throw new InvalidRequest([{ path: 'id', rule: 'required' }])
  return id
}
