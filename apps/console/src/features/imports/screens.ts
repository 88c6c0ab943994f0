import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const importsScreens = {
  staffImport: {
    path: '/staffImport',
    page: 'features/imports/ImportListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/imports/calls')).importCalls.list },
    permission: 'person.list',
    besides: ['own:person.edit'],
    parent: 'staffList',
  },
  staffImportDetail: {
    path: '/staffImport/{id}',
    page: 'features/imports/ImportPage.tsx',
    kind: 'detail',
    permission: 'person.list',
    besides: ['own:person.edit'],
    parent: 'staffImport',
  },
  photoBoard: {
    path: '/photoBoard',
    page: 'features/imports/PhotoBoardPage.tsx',
    kind: 'list',
    permission: 'person.list',
    parent: 'staffList',
  },
} as const satisfies ScreenDeclarations
