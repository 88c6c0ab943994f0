/** A measured number as people read it, with its unit. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServicePart } from '@gatehouse/contract/development/calls'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'

type Figure = ServicePart['figures'][number]

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export function useFigureWords(): (figure: Figure) => ReactNode {
  const { t, i18n } = useTranslation('development')
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    value.toLocaleString(i18n.language, { maximumFractionDigits: 1, ...options })

  function bytes(value: number): string {
    const power = Math.min(BYTE_UNITS.length - 1, value < 1 ? 0 : Math.floor(Math.log2(value) / 10))
    return number(value / 1024 ** power, { style: 'unit', unit: BYTE_UNITS[power]!, unitDisplay: 'short' })
  }

  function duration(seconds: number): string {
    const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
    if (days > 0) return t('days', { days, hours })
    return hours > 0 ? t('hours', { hours, minutes }) : t('minutes', { minutes })
  }

  return ({ unit, value }) => {
    if (value === null) return '—'
    switch (unit) {
      case 'bytes':
        return bytes(value)
      case 'ms':
        return number(value, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' })
      case 'percent':
        return number(value / 100, { style: 'percent' })
      case 'seconds':
        return duration(value)
      case 'instant':
        return <RelativeTime at={value} />
      default:
        return number(value)
    }
  }
}
