import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const dataScreens = {
  dataScreen: {
    path: '/dataScreen',
    page: 'features/screens/DataScreenPage.tsx',
    kind: 'screen',
    layout: 'full',
    permission: 'screen',
    dataScreen: true,
  },
} as const satisfies ScreenDeclarations
