import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const privacyScreens = {
  erasures: {
    path: '/erasures',
    page: 'features/privacy/ErasureListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/privacy/calls')).privacyCalls.list },
    permission: 'person.list',
    parent: 'staffList',
  },
  erasureDetails: {
    path: '/erasures/{id}',
    page: 'features/privacy/ErasurePage.tsx',
    kind: 'detail',
    permission: 'person.list',
    parent: 'erasures',
  },
  privacyPolicy: {
    path: '/privacyPolicy',
    page: 'features/privacy/PolicyPage.tsx',
    kind: 'settings',
    permission: 'system.base',
    menu: 'park',
  },
} as const satisfies ScreenDeclarations
