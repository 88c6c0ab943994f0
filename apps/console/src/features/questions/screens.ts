import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const questionsScreens = {
  accessQuestion: {
    path: '/accessQuestion',
    page: 'features/questions/WhoPage.tsx',
    kind: 'list',
    permission: 'access.rule',
    menu: 'access',
  },
  accessQuestionPerson: {
    path: '/accessQuestion/person',
    page: 'features/questions/WherePage.tsx',
    kind: 'list',
    permission: 'person.list',
    parent: 'accessQuestion',
  },
} as const satisfies ScreenDeclarations
