import type { ScreenDeclarations } from '../../screens.ts'

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
    permission: 'person.list',
    parent: 'staffList',
  },
} as const satisfies ScreenDeclarations
