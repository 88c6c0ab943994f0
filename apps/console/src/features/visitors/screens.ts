import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const visitorsScreens = {
  visitorRegister: {
    path: '/visitorRegister',
    page: 'features/visitors/form/VisitorRegisterPage.tsx',
    props: { kind: 'single' },
    kind: 'form',
    permission: 'visitor.temporary.edit',
    menu: 'visitor',
  },
  regularVisitorRegister: {
    path: '/regularVisitorRegister',
    page: 'features/visitors/form/VisitorRegisterPage.tsx',
    props: { kind: 'regular' },
    kind: 'form',
    permission: 'visitor.temporary.edit',
    menu: 'visitor',
  },
  visitorCurrent: {
    path: '/visitorCurrent',
    page: 'features/visitors/desk/VisitListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/visitors/calls')).visitorCalls.list },
    permission: 'visitor.report',
    menu: 'visitor',
  },
  visitorConfiguration: {
    path: '/configuration',
    page: 'features/visitors/settings/ConfigurationPage.tsx',
    kind: 'settings',
    permission: 'visitor.mp.setting',
    menu: 'visitor',
  },
  passRule: {
    path: '/passRule',
    page: 'features/visitors/rules/PassRuleListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/visitors/pass-rules')).passRuleCalls.list },
    permission: 'visitor.access.rule',
    menu: 'access',
  },
} as const satisfies ScreenDeclarations
