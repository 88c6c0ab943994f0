/** The components of the screens, loaded on demand. Everything else about a screen stands in `screens.ts`. */
import type { ComponentType } from 'react'
import type { ScreenName } from './screens.ts'

/** Loads the page of a screen. */
export type LoadPage = () => Promise<{ default: ComponentType }>

export const pages: Record<ScreenName, LoadPage> = {
  root: () => import('./shell/login/LoginPage.tsx'),
  login: () => import('./shell/login/LoginPage.tsx'),
  refresh: () => import('./shell/pages/RefreshPage.tsx'),
  forbidden: () => import('./shell/pages/ForbiddenPage.tsx'),
  notFound: () => import('./shell/pages/NotFoundPage.tsx'),

  home: () => import('./features/home/HomePage.tsx'),

  staffList: () => import('./features/people/StaffListPage.tsx'),
  staffAdd: () => import('./features/people/StaffAddPage.tsx'),
  staffDetails: () => import('./features/people/StaffDetailPage.tsx'),

  deviceList: () => import('./features/devices/DeviceListPage.tsx'),
  deviceDetails: () => import('./features/devices/DeviceDetailPage.tsx'),

  staffCurrent: () => import('./features/access/records/StaffRecordsPage.tsx'),
  strangerRecords: () => import('./features/access/records/StrangerRecordsPage.tsx'),
  timeRule: () => import('./features/access/rules/TimeRuleListPage.tsx'),
  timeRuleDetail: () => import('./features/access/rules/TimeRulePage.tsx'),
  passStrategy: () => import('./features/access/strategies/StrategyListPage.tsx'),
  passStrategyDetail: () => import('./features/access/strategies/StrategyDetailPage.tsx'),
  addPassStrategyDetail: () => import('./features/access/strategies/StrategyFormPage.tsx'),
  syncStatus: () => import('./features/access/synchronisation/SyncStatusPage.tsx'),

  faceEngine: () => import('./features/faces/engine/EnginePage.tsx'),
  facePolicy: () => import('./features/faces/policy/PolicyPage.tsx'),
  faceReport: () => import('./features/faces/report/ReportListPage.tsx'),
  faceReportDetail: () => import('./features/faces/report/ReportPage.tsx'),
  faceLiveness: () => import('./features/faces/liveness/LivenessPage.tsx'),
  faceCorrections: () => import('./features/faces/corrections/CorrectionsPage.tsx'),
}
