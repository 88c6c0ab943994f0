import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const upgradesScreens = {
  deviceUpgradeNotPrivatization: {
    path: '/deviceUpgradeNotPrivatization',
    page: 'features/upgrades/TaskListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/upgrades/calls')).upgradeCalls.tasks },
    permission: 'device.upgrade',
    menu: 'device',
  },
  // Upgrades of the terminals' program or of their face models.
  clientUpgradeDetail: {
    path: '/clientUpgradeDetail',
    page: 'features/upgrades/TaskDetailPage.tsx',
    kind: 'detail',
    permission: 'device.upgrade',
    parent: 'deviceUpgradeNotPrivatization',
  },
  // Upgrades of other parts of devices, such as an apk.
  deviceUpgradeDetail: {
    path: '/deviceUpgradeDetail',
    page: 'features/upgrades/TaskDetailPage.tsx',
    kind: 'detail',
    permission: 'device.upgrade',
    parent: 'deviceUpgradeNotPrivatization',
  },
  algorithmUpgrade: {
    path: '/algorithmUpgrade',
    page: 'features/upgrades/TaskListPage.tsx',
    props: { kind: 'algorithm' },
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/upgrades/calls')).upgradeCalls.tasks, fixed: { kind: 'algorithm' } },
    permission: 'device.upgrade',
    parent: 'deviceUpgradeNotPrivatization',
  },
  apkUpload: {
    path: '/apkUpload',
    page: 'features/upgrades/ApkUploadPage.tsx',
    kind: 'form',
    permission: 'device.upgrade',
    parent: 'deviceUpgradeNotPrivatization',
  },
} as const satisfies ScreenDeclarations
