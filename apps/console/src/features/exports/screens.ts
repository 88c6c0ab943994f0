import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const exportsScreens = {
  // Each user's own exports, opened from the user menu.
  exportRecord: {
    path: '/exportRecord',
    page: 'features/exports/ExportListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/exports/calls')).exportCalls.list },
  },
} as const satisfies ScreenDeclarations
