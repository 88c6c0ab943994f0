/** Log entries in the reader's language: operations by their call, fields and entities by name where there is one. */
import { useTranslation } from 'react-i18next'
import { accessMethod, authorisedObject, strategyKind } from '@gatehouse/contract/enums/access'
import { alarmSound, monitorPrecision } from '@gatehouse/contract/enums/alarms'
import { gender } from '@gatehouse/contract/enums/people'
import { useEnumLabel, type EnumLike } from '../../kit/detail/EnumTag.tsx'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'

/** Separators that occur in no address and no setting name, unlike the usual ones. */
const AS_ONE = { keySeparator: '›', nsSeparator: false } as const

interface LogWords {
  /** The operation in words; the call itself where the texts no longer have it. */
  operation: (kind: 'write' | 'read', call: { method: string; url: string }) => string
  /** Kind of an entity: person, role. */
  entity: (name: string) => string
  /** Name of an entity; a setting is named by what it sets. */
  subject: (subject: { entity: string; id: string; label: string }) => string
  field: (name: string) => string
  value: (field: string, value: unknown) => string
}

/** Fields that hold a value of an enum, or several. */
const ENUM_OF: Readonly<Record<string, EnumLike>> = {
  gender,
  methods: accessMethod,
  authorisedObject,
  kind: strategyKind,
  precision: monitorPrecision,
  alarmSound,
}
/** Fields that hold a moment. */
const MOMENT = /(At|From|To|Time|Until)$/

export function useLogWords(): LogWords {
  const { t } = useTranslation('audit')
  const { t: operations } = useTranslation('operations')
  const { offset } = useZoneOffset()
  const enumLabel = useEnumLabel()

  const fieldWord = (name: string): string => t(`field›${name}`, { ...AS_ONE, defaultValue: name })
  function textOf(field: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return '—'
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    const valuesOf = ENUM_OF[field]
    if (valuesOf !== undefined && (typeof value === 'number' || typeof value === 'string')) return enumLabel(valuesOf, value)
    if (typeof value === 'number') return MOMENT.test(field) && value > 1e11 ? formatInstant(value, offset) : String(value)
    if (Array.isArray(value)) return value.length === 0 ? '—' : value.map((one) => textOf(field, one)).join(t('common:listSeparator'))
    if (typeof value === 'object')
      return Object.entries(value)
        .map(([name, one]) => `${fieldWord(name)}: ${textOf(name, one)}`)
        .join('; ')
    return String(value)
  }

  return {
    operation: (kind, { method, url }) => operations(`${kind}›${method} ${url}`, { ...AS_ONE, defaultValue: `${method} ${url}` }),
    entity: (name) => t(`entity›${name}`, { ...AS_ONE, defaultValue: name }),
    subject: ({ entity, id, label }) => {
      if (entity === 'setting') return t(`setting›${label}`, { ...AS_ONE, defaultValue: label })
      // A refused login must not look like a successful one.
      if (entity === 'refusedLogin') return `${t('entity.refusedLogin')}: ${label}`
      return label || `#${id.slice(-6)}`
    },
    field: (name) => {
      const [first = '', ...rest] = name.split('.')
      return [fieldWord(first), ...rest].join(' › ')
    },
    value: textOf,
  }
}
