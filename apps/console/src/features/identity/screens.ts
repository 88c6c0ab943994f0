import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const identityScreens = {
  userManage: {
    path: '/userManage',
    page: 'features/identity/users/UserListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/identity/users')).userCalls.list },
    permission: 'system.user',
    menu: 'system',
  },
  roleManage: {
    path: '/roleManage',
    page: 'features/identity/roles/RoleListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/identity/roles')).roleCalls.list },
    permission: 'system.role',
    menu: 'system',
  },
  roleDetail: {
    path: '/roleDetail/{id}',
    page: 'features/identity/roles/RolePage.tsx',
    kind: 'form',
    permission: 'system.role',
    parent: 'roleManage',
  },
  newRole: {
    path: '/roleDetail',
    page: 'features/identity/roles/RolePage.tsx',
    kind: 'form',
    permission: 'system.role',
    parent: 'roleManage',
  },
  apiUserManage: {
    path: '/apiUserManage',
    page: 'features/identity/clients/ClientListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/identity/clients')).clientCalls.list },
    permission: 'system.api',
    menu: 'system',
  },
} as const satisfies ScreenDeclarations
