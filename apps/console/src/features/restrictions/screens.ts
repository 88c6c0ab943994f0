import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const restrictionsScreens = {
  accessRestriction: {
    path: '/accessRestriction',
    page: 'features/restrictions/AreaListPage.tsx',
    kind: 'list',
    permission: 'access.restriction',
    menu: 'access',
  },
  addAccessRestrictionDetail: {
    path: '/addAccessRestrictionDetail',
    page: 'features/restrictions/AreaFormPage.tsx',
    kind: 'form',
    permission: 'access.restriction',
    parent: 'accessRestriction',
  },
  accessRestrictionDetail: {
    path: '/accessRestrictionDetail',
    page: 'features/restrictions/AreaDetailPage.tsx',
    kind: 'detail',
    permission: 'access.restriction',
    parent: 'accessRestriction',
  },
  accessRestrictionPersonList: {
    path: '/accessRestrictionPersonList/{id}',
    page: 'features/restrictions/PersonListPage.tsx',
    kind: 'list',
    permission: 'access.restriction',
    parent: 'accessRestriction',
  },
  accessRestrictionMuster: {
    path: '/accessRestrictionMuster/{id}',
    page: 'features/restrictions/MusterPage.tsx',
    kind: 'list',
    permission: 'access.restriction',
    parent: 'accessRestriction',
  },
} as const satisfies ScreenDeclarations
