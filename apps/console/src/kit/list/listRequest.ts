/** What a list asks for at an address: the same for its page and for what reads it before the page is there. */
import type { Schema } from '@gatehouse/contract'
import type { AnyCall, PartsOf } from '../../api/http.ts'
import { readQuery } from './address.ts'

/** The part of the call that holds what is asked: the query of a GET list, the body of a `find…List`. */
const partOf = ({ query }: AnyCall): 'query' | 'body' => (query ? 'query' : 'body')

/** The schema of what a list is asked. */
export const querySchemaOf = (call: AnyCall): Schema => call[partOf(call)] as Schema

/** Return the parts of a request by what a list is asked. */
export const listPartsOf = (call: AnyCall, query: object): PartsOf<AnyCall> => ({ [partOf(call)]: query }) as PartsOf<AnyCall>

/** @param fixed part of the query the person cannot change @returns the query as the address says, and the parts of the request */
export function listRequest(call: AnyCall, search: URLSearchParams, fixed: object = {}): { query: object; parts: PartsOf<AnyCall> } {
  const query = readQuery(querySchemaOf(call), search) as object
  return { query, parts: listPartsOf(call, { ...query, ...fixed }) }
}
