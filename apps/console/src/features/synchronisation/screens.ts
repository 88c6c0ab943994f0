import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const synchronisationScreens = {
  syncStatus: {
    path: '/syncStatus/{id}',
    page: 'features/synchronisation/SyncStatusPage.tsx',
    kind: 'list',
    permission: 'access.rule',
    parent: 'passStrategy',
  },
} as const satisfies ScreenDeclarations
