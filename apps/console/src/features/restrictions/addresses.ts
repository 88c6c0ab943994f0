/** Addresses of a restriction area: of its own page and its form the id travels in the query. */
import { path } from '../../paths.ts'

export const detailOf = (id: string): string => `${path('accessRestrictionDetail')}?id=${encodeURIComponent(id)}`
/** Without an id: an area not yet made. */
export const formOf = (id?: string): string => path('addAccessRestrictionDetail') + (id ? `?id=${encodeURIComponent(id)}` : '')
export const personsOf = (id: string): string => path('accessRestrictionPersonList', { id })
export const musterOf = (id: string): string => path('accessRestrictionMuster', { id })
