import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const statisticsScreens = {
  accessStatistics: {
    path: '/accessStatistics',
    page: 'features/statistics/StatisticsPage.tsx',
    kind: 'list',
    permission: 'access.record',
    menu: 'record',
  },
} as const satisfies ScreenDeclarations
