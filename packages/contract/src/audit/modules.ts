/** Modules to which entries of the operation log belong. */
import type { Call } from '../call.ts'
import { permissionModules, type PermissionModule } from '../permissions.ts'

/** Modules of the permissions, and three for calls that require no permission code: signing in, one's own account, the installation. */
export const LOG_MODULES = ['login', 'account', ...(Object.keys(permissionModules) as PermissionModule[]), 'installation'] as const
export type LogModule = 'login' | 'account' | 'installation' | PermissionModule

const moduleOfCode = new Map<string, PermissionModule>(
  (Object.entries(permissionModules) as [PermissionModule, readonly string[]][]).flatMap(([module, codes]) =>
    codes.map((code) => [code, module] as const),
  ),
)

/** Return the module of a call, by its permission. */
export function logModuleOf({ permission }: Pick<Call, 'permission'>): LogModule {
  if (permission === 'public' || permission === 'basic') return 'login'
  if (permission === 'self') return 'account'
  return permission === 'installation' ? 'installation' : (moduleOfCode.get(permission) ?? 'system')
}
