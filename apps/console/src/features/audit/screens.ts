import type { ScreenDeclarations } from '../../screens.ts'

export const auditScreens = {
  userLog: {
    path: '/userLog',
    page: 'features/audit/OperationLogPage.tsx',
    kind: 'list',
    permission: 'system.log',
    menu: 'system',
  },
  readLog: {
    path: '/readLog',
    page: 'features/audit/ReadLogPage.tsx',
    kind: 'list',
    permission: 'system.log',
    parent: 'userLog',
  },
} as const satisfies ScreenDeclarations
