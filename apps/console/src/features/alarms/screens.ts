import type { ScreenDeclarations } from '../../screenDeclaration.ts'

/** Live frames keep the lists current. */
export const alarmsScreens = {
  monitorAlarm: {
    path: '/monitorAlarm',
    page: 'features/alarms/faces/MonitorAlarmPage.tsx',
    kind: 'list',
    permission: 'surveillance.alert',
    menu: 'alert',
  },
  deviceAlarm: {
    path: '/deviceAlarm',
    page: 'features/alarms/devices/DeviceAlarmPage.tsx',
    kind: 'list',
    permission: 'access.alert',
    menu: 'alert',
  },
  maintenanceAlarm: {
    path: '/maintenanceAlarm',
    page: 'features/alarms/maintenance/MaintenanceAlarmPage.tsx',
    kind: 'list',
    permission: 'device.list',
    menu: 'alert',
  },
  aiBoxAlarm: {
    path: '/AIBoxAlarm',
    page: 'features/alarms/boxes/AiBoxAlarmPage.tsx',
    kind: 'list',
    permission: 'access.alert',
    menu: 'alert',
  },
  ruleAlarm: {
    path: '/ruleAlarm',
    page: 'features/alarms/rules/RuleAlarmPage.tsx',
    kind: 'list',
    permission: 'surveillance.alert',
    menu: 'alert',
  },
  alarmSettings: {
    path: '/alarmSettings',
    page: 'features/alarms/settings/AlarmSettingsPage.tsx',
    kind: 'settings',
    permission: 'alert',
    menu: 'alert',
  },
} as const satisfies ScreenDeclarations
