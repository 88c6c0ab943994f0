import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const recordsScreens = {
  staffCurrent: {
    path: '/staffCurrent',
    page: 'features/records/StaffRecordsPage.tsx',
    kind: 'list',
    permission: 'access.record',
    menu: 'record',
  },
  guardMode: {
    path: '/guardMode',
    page: 'features/records/guard/GuardModePage.tsx',
    kind: 'screen',
    layout: 'full',
    permission: 'access.record',
    menu: 'record',
    attended: true,
  },
  strangerRecords: {
    path: '/strangerRecords',
    page: 'features/records/StrangerRecordsPage.tsx',
    kind: 'list',
    permission: 'access.record',
    condition: 'notLite',
    menu: 'record',
  },
} as const satisfies ScreenDeclarations
