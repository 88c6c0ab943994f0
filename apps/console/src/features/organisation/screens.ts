import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const organisationScreens = {
  basicSettings: {
    path: '/basicSettings',
    page: 'features/organisation/BasicSettingsPage.tsx',
    kind: 'settings',
    permission: 'system.base',
    menu: 'park',
  },
  regionManage: {
    path: '/regionManage',
    page: 'features/organisation/RegionPage.tsx',
    kind: 'list',
    permission: 'system.area',
    menu: 'system',
  },
  regionDetail: {
    path: '/regionDetail/{id}',
    page: 'features/organisation/RegionDetailPage.tsx',
    kind: 'detail',
    permission: 'system.area',
    parent: 'regionManage',
  },
  deviceLimit: {
    path: '/deviceLimit',
    page: 'features/organisation/limits/DeviceLimitPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/organisation/limits')).deviceLimitCalls.list },
    permission: 'system.area',
    condition: 'installation',
    menu: 'system',
  },
  deviceLimitDetail: {
    path: '/deviceLimitDetail',
    page: 'features/organisation/limits/DeviceLimitFormPage.tsx',
    kind: 'form',
    permission: 'system.area',
    condition: 'installation',
    parent: 'deviceLimit',
  },
} as const satisfies ScreenDeclarations
