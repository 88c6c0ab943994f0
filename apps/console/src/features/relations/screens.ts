import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const relationsScreens = {
  associatedPark: {
    path: '/associatedPark',
    page: 'features/relations/AssociatedParkPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/relations/calls')).relationCalls.list },
    permission: 'park.related',
    menu: 'park',
    after: 'customize',
  },
} as const satisfies ScreenDeclarations
