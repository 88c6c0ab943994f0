import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const approvalsScreens = {
  writtenRules: {
    path: '/writtenRules',
    page: 'features/approvals/WrittenRuleListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/approvals/written-rules')).writtenRuleCalls.list },
    permission: 'access.rule',
    menu: 'access',
  },
  writtenRuleDetail: {
    path: '/writtenRules/{id}',
    page: 'features/approvals/WrittenRulePage.tsx',
    kind: 'form',
    permission: 'access.rule',
    parent: 'writtenRules',
  },
  pendingChanges: {
    path: '/pendingChanges',
    page: 'features/approvals/PendingChangesPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/approvals/written-rules')).pendingChangeCalls.list },
    permission: 'access.rule',
    parent: 'writtenRules',
  },
} as const satisfies ScreenDeclarations
