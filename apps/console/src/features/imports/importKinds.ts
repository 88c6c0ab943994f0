/** Which registers somebody may fill, and where their persons stand in the console. */
import type { PersonKind } from '@gatehouse/contract/people/calls'
import { useMayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'

const LIST = { staff: 'staffList', customer: 'customerList', special: 'blacklist' } as const
const PAGE = { staff: 'staffDetails', customer: 'customerDetails', special: 'blackDetails' } as const

/** Address of a register, filtered. */
export const listAddress = (kind: PersonKind, query: Record<string, string> = {}): string => {
  const search = new URLSearchParams(query)
  return path(LIST[kind]) + (search.size > 0 ? `?${search}` : '')
}
export const personAddress = (kind: PersonKind, id: string): string => path(PAGE[kind], { id })

/** Registers that the session may open. */
export function useKinds(): PersonKind[] {
  const staff = useMayOpen(screens.staffList)
  const customer = useMayOpen(screens.customerList)
  const special = useMayOpen(screens.blacklist)
  return [...(staff ? (['staff'] as const) : []), ...(customer ? (['customer'] as const) : []), ...(special ? (['special'] as const) : [])]
}
