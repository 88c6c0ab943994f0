/** Addresses with a query that the pages of roles lead to. */
import { path } from '../../../paths.ts'

/** The accounts that hold a role. */
export const usersWith = (roleId: string): string => `${path('userManage')}?roleId=${encodeURIComponent(roleId)}`
/** A new role that starts from another. */
export const copyOf = (roleId: string): string => `${path('newRole')}?from=${encodeURIComponent(roleId)}`
