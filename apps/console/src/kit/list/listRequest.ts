/** The request of a list at an address: the same for its page and for code that reads it before the page is loaded. */
import type { Schema } from '@gatehouse/contract'
import type { AnyCall, PartsOf } from '../../api/http.ts'
import { readQuery } from './address.ts'

/** Return the part of the call that holds the filters: the query of a GET list, the body of a `find…List`. */
const partOf = ({ query }: AnyCall): 'query' | 'body' => (query ? 'query' : 'body')

/** Return the schema of a list's filters. */
export const querySchemaOf = (call: AnyCall): Schema => call[partOf(call)] as Schema

/** Return the parts of a request from a list's filters. */
export const listPartsOf = (call: AnyCall, query: object): PartsOf<AnyCall> => ({ [partOf(call)]: query }) as PartsOf<AnyCall>

/** @param fixed part of the query that the user cannot change @returns the query of the address, and the parts of the request */
export function listRequest(call: AnyCall, search: URLSearchParams, fixed: object = {}): { query: object; parts: PartsOf<AnyCall> } {
  const query = readQuery(querySchemaOf(call), search) as object
  return { query, parts: listPartsOf(call, { ...query, ...fixed }) }
}
