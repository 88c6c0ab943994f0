import type { ScreenDeclarations } from '../../screens.ts'

export const exportsScreens = {
  // Everybody's own, reached from the menu of the person.
  exportRecord: {
    path: '/exportRecord',
    page: 'features/exports/ExportListPage.tsx',
    kind: 'list',
  },
} as const satisfies ScreenDeclarations
