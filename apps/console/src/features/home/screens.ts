import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const homeScreens = {
  home: {
    path: '/home',
    page: 'features/home/HomePage.tsx',
    kind: 'screen',
    menu: 'top',
  },
} as const satisfies ScreenDeclarations
