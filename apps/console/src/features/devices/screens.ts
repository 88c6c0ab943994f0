import type { ScreenDeclarations } from '../../screenDeclaration.ts'

export const devicesScreens = {
  deviceList: {
    path: '/deviceList',
    page: 'features/devices/DeviceListPage.tsx',
    kind: 'list',
    permission: 'device.list',
    menu: 'device',
  },
  deviceDetails: {
    path: '/deviceDetails/{deviceId}',
    page: 'features/devices/DeviceDetailPage.tsx',
    kind: 'detail',
    permission: 'device.list',
    parent: 'deviceList',
  },
} as const satisfies ScreenDeclarations
