/** Addresses of a strategy: its id travels in the query. */
import { path } from '../../paths.ts'

export const detailOf = (id: string): string => `${path('passStrategyDetail')}?id=${encodeURIComponent(id)}`
/** Without an id: a strategy not yet made. */
export const formOf = (id?: string): string => path('addPassStrategyDetail') + (id ? `?id=${encodeURIComponent(id)}` : '')
