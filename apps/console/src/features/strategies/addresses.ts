/** Addresses of a strategy, whose id is in the query. */
import { path } from '../../paths.ts'

export const detailOf = (id: string): string => `${path('passStrategyDetail')}?id=${encodeURIComponent(id)}`
/** Return the address of the form; without an id: of a new strategy. */
export const formOf = (id?: string): string => path('addPassStrategyDetail') + (id ? `?id=${encodeURIComponent(id)}` : '')
