import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const configurationScreens = {
  deviceConfig: {
    path: '/deviceConfig',
    page: 'features/configuration/DeviceConfigPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/configuration/calls')).configurationCalls.list },
    permission: 'device.setting',
    menu: 'device',
  },
  deviceConfigDetail: {
    path: '/deviceConfigDetail',
    page: 'features/configuration/DeviceConfigDetailPage.tsx',
    kind: 'detail',
    permission: 'device.setting',
    parent: 'deviceConfig',
  },
  deviceConfigTemplates: {
    path: '/deviceConfigTemplates',
    page: 'features/configuration/TemplateListPage.tsx',
    kind: 'list',
    list: { call: async () => (await import('@gatehouse/contract/configuration/calls')).configurationCalls.templates },
    permission: 'device.setting',
    parent: 'deviceConfig',
  },
  deviceConfigDefaults: {
    path: '/deviceConfigDefaults',
    page: 'features/configuration/ParkDefaultsPage.tsx',
    kind: 'settings',
    permission: 'device.setting',
    parent: 'deviceConfig',
  },
  deviceConfigDisplay: {
    path: '/deviceConfigDisplay',
    page: 'features/configuration/DisplayPage.tsx',
    kind: 'settings',
    permission: 'device.setting',
    parent: 'deviceConfig',
  },
} as const satisfies ScreenDeclarations
