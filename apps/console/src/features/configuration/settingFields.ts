/** The fields of a terminal's settings in the order of the form, with their inputs, and their values in words. */
import { useTranslation } from 'react-i18next'
import {
  CAPTURE_HOURS,
  CONSOLE_ACCOUNT_MAX,
  PROMPT_TEXT_MAX,
  RECOGNITION_DISTANCE_MAX,
  RECOGNITION_DISTANCE_MIN,
  RECOGNITION_FAILURE_INTERVAL,
  RECOGNITION_INTERVAL_STEP,
  RECOGNITION_SUCCESS_INTERVAL,
  RESTART_INTERVAL,
  THRESHOLD_MAX,
  THRESHOLD_MIN,
} from '@gatehouse/contract'
import type { SettingFileKind } from '@gatehouse/contract/configuration/calls'
import { CAPTURE_KEEPING, GPIO_TYPES, WEAR_RULES, type SettingName } from '@gatehouse/contract/configuration/settings'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { alarmType } from '@gatehouse/contract/enums/alarms'
import { networkMode, temperatureUnit } from '@gatehouse/contract/enums/devices'
import { cardNumberFormat } from '@gatehouse/contract/enums/people'
import { useEnumLabel, type EnumLike } from '../../kit/detail/EnumTag.tsx'

export type FieldName = Exclude<SettingName, 'displayFields'>

/** How a field is typed or chosen; `words` are choices with texts under `choice.<field>`. */
export type Control =
  | { kind: 'number'; min: number; max: number; step: number; unit?: 'seconds' | 'metres' | 'hours' | 'days' | 'percent' }
  | { kind: 'temperature' }
  | { kind: 'switch' }
  | { kind: 'text'; max: number }
  | { kind: 'one' | 'several'; of: EnumLike }
  | { kind: 'one' | 'several'; words: readonly string[] }
  | { kind: 'zone' }
  | { kind: 'file'; file: SettingFileKind }

const threshold: Control = { kind: 'number', min: THRESHOLD_MIN, max: THRESHOLD_MAX, step: 0.5 }
const address: Control = { kind: 'text', max: 253 }
const seconds = ([min, max]: readonly [number, number]): Control => ({
  kind: 'number',
  min,
  max,
  step: RECOGNITION_INTERVAL_STEP,
  unit: 'seconds',
})

export const controls: Readonly<Record<FieldName, Control>> = {
  verificationMode: { kind: 'several', of: accessMethod },
  threshold,
  lowThreshold: threshold,
  livenessSwitch: { kind: 'switch' },
  recognitionDistance: { kind: 'number', min: RECOGNITION_DISTANCE_MIN, max: RECOGNITION_DISTANCE_MAX, step: 0.1, unit: 'metres' },
  successInterval: seconds(RECOGNITION_SUCCESS_INTERVAL),
  failureInterval: seconds(RECOGNITION_FAILURE_INTERVAL),
  promptText: { kind: 'text', max: PROMPT_TEXT_MAX },
  voicePromptText: { kind: 'text', max: 64 },
  voiceFile: { kind: 'file', file: 'voice' },
  volume: { kind: 'number', min: 0, max: 100, step: 1, unit: 'percent' },
  screenSaver: { kind: 'file', file: 'screenSaver' },
  screenSaverAfter: { kind: 'number', min: 0, max: 86_400, step: 10, unit: 'seconds' },
  temperatureCheck: { kind: 'switch' },
  temperatureMaximum: { kind: 'temperature' },
  temperatureMinimum: { kind: 'temperature' },
  temperatureUnit: { kind: 'one', of: temperatureUnit },
  maskRule: { kind: 'one', words: WEAR_RULES },
  helmetRule: { kind: 'one', words: WEAR_RULES },
  gpioTypes: { kind: 'several', words: GPIO_TYPES },
  alarmRecordingTypes: { kind: 'several', of: alarmType },
  cardNumberFormat: { kind: 'one', of: cardNumberFormat },
  restartInterval: { kind: 'number', min: RESTART_INTERVAL[0], max: RESTART_INTERVAL[1], step: 1, unit: 'days' },
  timeZone: { kind: 'zone' },
  ntpServer: address,
  networkMode: { kind: 'one', of: networkMode },
  ip: address,
  subnetMask: address,
  gateway: address,
  dns: address,
  serverAddress: address,
  port: { kind: 'number', min: 1, max: 65_535, step: 1 },
  consoleAccount: { kind: 'text', max: CONSOLE_ACCOUNT_MAX },
  captureKeeping: { kind: 'one', words: CAPTURE_KEEPING },
  captureHours: { kind: 'number', min: CAPTURE_HOURS[0], max: CAPTURE_HOURS[1], step: 1, unit: 'hours' },
}

export const SECTIONS = [
  { name: 'capture', fields: ['captureKeeping', 'captureHours'] },
  {
    name: 'recognition',
    fields: [
      'verificationMode',
      'threshold',
      'lowThreshold',
      'livenessSwitch',
      'recognitionDistance',
      'successInterval',
      'failureInterval',
    ],
  },
  { name: 'screen', fields: ['promptText', 'voicePromptText', 'volume', 'screenSaverAfter', 'voiceFile', 'screenSaver'] },
  {
    name: 'temperature',
    fields: ['temperatureCheck', 'temperatureUnit', 'temperatureMinimum', 'temperatureMaximum', 'maskRule', 'helmetRule'],
  },
  { name: 'hardware', fields: ['gpioTypes', 'alarmRecordingTypes', 'cardNumberFormat', 'restartInterval'] },
  { name: 'network', fields: ['timeZone', 'ntpServer', 'networkMode', 'ip', 'subnetMask', 'gateway', 'dns', 'serverAddress', 'port'] },
  { name: 'console', fields: ['consoleAccount'] },
] as const satisfies readonly { name: string; fields: readonly FieldName[] }[]

/** Return a time zone with the typographic minus sign. */
export const zoneWords = (zone: string): string => zone.replace('-', '−')

/** Return degrees Celsius as Fahrenheit, with one decimal; for display only. */
export const fahrenheitOf = (celsius: number): number => Math.round((celsius * 1.8 + 32) * 10) / 10

export interface SettingWords {
  /** Name of a field. */
  name: (field: FieldName) => string
  /** A value in words; null has a text of its own by field. */
  value: (field: FieldName, value: unknown) => string
}

/** Return the names of settings and the words for their values. */
export function useSettingWords(): SettingWords {
  const { t, i18n } = useTranslation('configuration')
  const label = useEnumLabel()

  function one(field: FieldName, value: unknown): string {
    const control = controls[field]
    switch (control.kind) {
      case 'switch':
        return t(value === 1 ? 'on' : 'off')
      case 'number':
        return t(control.unit ? `unit.${control.unit}` : 'unit.none', { value: Number(value).toLocaleString(i18n.language) })
      case 'temperature':
        return t('unit.celsius', { value: Number(value).toLocaleString(i18n.language) })
      case 'zone':
        return zoneWords(String(value))
      case 'file':
        return t('file.own')
      case 'one':
      case 'several':
        return 'of' in control ? label(control.of, value as string) : t(`choice.${field}.${String(value)}`)
      default:
        return String(value)
    }
  }

  return {
    name: (field) => t(`field.${field}`),
    value(field, value) {
      if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
        return t(`nothing.${field}`, { defaultValue: t('nothing.any') })
      return Array.isArray(value) ? value.map((item) => one(field, item)).join(t('common:listSeparator')) : one(field, value)
    },
  }
}
