import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const developmentScreens = {
  dataReleased: {
    path: '/dataReleased',
    page: 'features/development/DataReleasedPage.tsx',
    kind: 'list',
    permission: 'development',
    menu: 'operations',
  },
  serviceMonitor: {
    path: '/serviceMonitor',
    page: 'features/development/ServiceMonitorPage.tsx',
    kind: 'list',
    permission: 'development',
    menu: 'operations',
  },
  personnelIssued: {
    path: '/personnelIssued',
    page: 'features/development/PersonnelIssuedPage.tsx',
    kind: 'list',
    permission: 'development',
    menu: 'operations',
  },
} as const satisfies ScreenDeclarations
