import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const exportsScreens = {
  // Everybody's own, reached from the menu of the person.
  exportRecord: {
    path: '/exportRecord',
    page: 'features/exports/ExportListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/exports/calls')).exportCalls.list },
  },
} as const satisfies ScreenDeclarations
