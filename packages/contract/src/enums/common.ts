/** Values that several contexts share. */
import { PERMISSION_CODES, permissionModules } from '../permissions.ts'
import type { PermissionCode, PermissionModule } from '../permissions.ts'
import { defineEnum } from './definition.ts'

const byOwnName = <Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as { [V in Value]: V }

export const language = defineEnum('language', { english: 'en', simplifiedChinese: 'zh-CN', traditionalChinese: 'zh-TW' })

export const yesNo = defineEnum('yesNo', { yes: 1, no: 0 })

export const enableDisable = defineEnum('enableDisable', { enabled: 1, disabled: 0 }, { enabled: 'success', disabled: 'neutral' })

/** Monday is 1. */
export const weekday = defineEnum('weekday', { monday: 1, tuesday: 2, wednesday: 3, thursday: 4, friday: 5, saturday: 6, sunday: 7 })

export const pageSizeOption = defineEnum('pageSizeOption', { ten: 10, twenty: 20, fifty: 50, hundred: 100 })

/** State of background work: upgrade, issuing, card issue, push. The last three are for upgrades only. */
export const jobState = defineEnum(
  'jobState',
  {
    inProgress: 'inProgress',
    success: 'success',
    failed: 'failed',
    notRegistered: 'notRegistered',
    alreadyNewest: 'alreadyNewest',
    restarted: 'restarted',
  },
  {
    inProgress: 'processing',
    success: 'success',
    failed: 'error',
    notRegistered: 'warning',
    alreadyNewest: 'neutral',
    restarted: 'processing',
  },
)

export const exportStatus = defineEnum(
  'exportStatus',
  { waiting: 0, exporting: 1, exported: 2, failed: 3 },
  { waiting: 'neutral', exporting: 'processing', exported: 'success', failed: 'error' },
)

export const pushType = defineEnum('pushType', { passageData: 0, captureData: 1 })

export const pushStatus = defineEnum(
  'pushStatus',
  { pushing: 0, failed: 1, success: 2 },
  { pushing: 'processing', failed: 'error', success: 'success' },
)

/** Labels: `i18n/<lang>/permissions.json`, under `module`. */
export const permissionModule = defineEnum('permissionModule', byOwnName(Object.keys(permissionModules) as PermissionModule[]))

/** Labels: `i18n/<lang>/permissions.json`, under `code`. */
export const permissionCode = defineEnum('permissionCode', byOwnName<PermissionCode>(PERMISSION_CODES))
