/** Values of settings as people read them. */
import { useTranslation } from 'react-i18next'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { controls, type FieldName } from './fieldList.ts'

/** A zone with the sign that is read. */
export const zoneWords = (zone: string): string => zone.replace('-', '−')

/** Degrees Celsius as Fahrenheit, one decimal; for the eye only. */
export const fahrenheitOf = (celsius: number): number => Math.round((celsius * 1.8 + 32) * 10) / 10

export interface SettingWords {
  /** What a field is called. */
  name: (field: FieldName) => string
  /** What a value is in words; null is what its field says of nothing. */
  value: (field: FieldName, value: unknown) => string
}

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
