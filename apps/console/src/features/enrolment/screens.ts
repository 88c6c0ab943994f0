import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const enrolmentScreens = {
  staffApproveTab: {
    path: '/staffApproveTab',
    page: 'features/enrolment/ApprovalPage.tsx',
    kind: 'list',
    permission: 'person.audit',
    menu: 'person',
    after: 'blacklist',
  },
  enrolmentLinks: {
    path: '/enrolmentLinks',
    page: 'features/enrolment/LinkListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/enrolment/calls')).enrolmentCalls.links },
    permission: 'person.list',
    parent: 'staffList',
  },
} as const satisfies ScreenDeclarations
