import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const facesScreens = {
  faceCorrections: {
    path: '/faceCorrections',
    page: 'features/faces/corrections/CorrectionsPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/clinic/calls')).clinicCalls.list },
    permission: 'access.record',
    menu: 'record',
  },
  // The only menu entry for pages that are viewed about once a month: the others are its tabs.
  faceEngine: {
    path: '/faceEngine',
    page: 'features/faces/engine/EnginePage.tsx',
    kind: 'list',
    permission: 'device.setting',
    menu: 'system',
  },
  facePolicy: {
    path: '/facePolicy',
    page: 'features/faces/policy/PolicyPage.tsx',
    kind: 'settings',
    permission: 'device.setting',
    parent: 'faceEngine',
  },
  faceReport: {
    path: '/faceReport',
    page: 'features/faces/report/ReportListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/faces/report')).faceReportCalls.list },
    permission: 'device.setting',
    parent: 'faceEngine',
  },
  faceReportDetail: {
    path: '/faceReport/{id}',
    page: 'features/faces/report/ReportPage.tsx',
    kind: 'detail',
    permission: 'device.setting',
    parent: 'faceEngine',
  },
  faceLiveness: {
    path: '/faceLiveness',
    page: 'features/faces/liveness/LivenessPage.tsx',
    kind: 'settings',
    permission: 'device.setting',
    parent: 'faceEngine',
  },
} as const satisfies ScreenDeclarations
