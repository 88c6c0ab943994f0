import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const auditScreens = {
  userLog: {
    path: '/userLog',
    page: 'features/audit/OperationLogPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/audit/calls')).auditCalls.operations },
    permission: 'system.log',
    menu: 'system',
  },
  readLog: {
    path: '/readLog',
    page: 'features/audit/ReadLogPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/audit/calls')).auditCalls.reads },
    permission: 'system.log',
    parent: 'userLog',
  },
} as const satisfies ScreenDeclarations
