import type { ScreenDeclarations } from '../../screens.ts'

export const relationsScreens = {
  associatedPark: {
    path: '/associatedPark',
    page: 'features/relations/AssociatedParkPage.tsx',
    kind: 'list',
    permission: 'park.related',
    menu: 'park',
    after: 'customize',
  },
} as const satisfies ScreenDeclarations
