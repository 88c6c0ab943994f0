/** The address of one visit. */
import { path } from '../../paths.ts'

/** Parameter of the address that names a visit. */
export const VISIT_PARAMETER = 'visit'
/** Return the address of the list with one visit open. */
export const pathOfVisit = (id: string): string => `${path('visitorCurrent')}?${VISIT_PARAMETER}=${encodeURIComponent(id)}`
