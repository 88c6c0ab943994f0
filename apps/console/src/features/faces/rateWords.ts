/** Rates and numbers in the shown language. */
import { useTranslation } from 'react-i18next'
import type { MeasuredRate } from '@gatehouse/contract/faces/report'
import { often, rarely, type SpokenRate } from './rates.ts'

export interface RateWords {
  number: (value: number) => string
  /** "1 in 1,200" */
  rarely: (rate: number) => string
  /** "7 in 100" */
  often: (rate: number | null) => string
  /** Between which rates the true one lies, with 95 % confidence. */
  between: (measured: MeasuredRate, say: 'rarely' | 'often') => string
}

export function useRateWords(): RateWords {
  const { t, i18n } = useTranslation('faces')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const words = (spoken: SpokenRate): string =>
    'count' in spoken ? t(`rate.${spoken.as}`, { n: number(spoken.count) }) : t(`rate.${spoken.as}`)
  const spokenAs = { rarely, often }
  return {
    number,
    rarely: (rate) => words(rarely(rate)),
    often: (rate) => (rate === null ? t('rate.unknown') : words(often(rate))),
    between: ({ low, high }, how) => {
      const [least, most] = [spokenAs[how](low), spokenAs[how](high)]
      if (most.as === 'none') return ''
      if (least.as === 'none') return t('rate.atMost', { high: words(most) })
      if (!('count' in least) || !('count' in most) || least.as !== most.as)
        return t('rate.between', { low: words(least), high: words(most) })
      const [from, to] = [least.count, most.count].toSorted((a, b) => a - b) as [number, number]
      return from === to ? words(least) : t(`rate.range.${least.as}`, { from: number(from), to: number(to) })
    },
  }
}
