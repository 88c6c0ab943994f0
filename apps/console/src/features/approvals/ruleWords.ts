/** Written rules in words, and the status colours of pending changes. */
import { useTranslation } from 'react-i18next'
import type { Breach, PendingState, WrittenRule } from '@gatehouse/contract/approvals/written-rules'
import { useWeekWords } from '../strategies/index.ts'

type Named = Pick<WrittenRule, 'everybodyExcept' | 'kinds' | 'personGroups' | 'persons' | 'deviceGroups' | 'devices'>

const DAYS = 7
const SHOWN_DATES = 3

/** Return functions that put the persons, doors and hours of a written rule in words. */
export function useRuleWords() {
  const { t } = useTranslation('approvals')
  const weekWords = useWeekWords()
  const listed = (words: readonly string[]): string => words.join(t('common:listSeparator'))
  const isAlways = (periods: Breach['periods']): boolean =>
    periods.length === 0 || (periods.length === DAYS && periods.every(({ start, end }) => start === '00:00' && end === '24:00'))
  return {
    listed,
    subjects({ everybodyExcept, kinds, personGroups, persons }: Named): string {
      const named = listed([
        ...kinds.map((kind) => t(`kind.${kind}`)),
        ...personGroups.map(({ name }) => name),
        ...persons.map(({ name }) => name),
      ])
      if (!everybodyExcept) return named
      return named === '' ? t('everybody') : t('everybodyExcept', { named })
    },
    where: ({ deviceGroups, devices }: Named): string => listed([...deviceGroups, ...devices].map(({ name }) => name)),
    when: (periods: Breach['periods']): string => (isAlways(periods) ? t('always') : weekWords(periods)),
    /** Doors by name; the others are counted. */
    doors: ({ deviceNames, deviceCount }: Pick<Breach, 'deviceNames' | 'deviceCount'>): string =>
      deviceCount > deviceNames.length
        ? t('andMore', { named: listed(deviceNames), count: deviceCount - deviceNames.length })
        : listed(deviceNames),
    /** Hours in which persons could pass: weekly hours, and dates. */
    hours: ({ periods, dates }: Pick<Breach, 'periods' | 'dates'>): string =>
      listed([
        ...(periods.length === 0 ? [] : [isAlways(periods) ? t('atAnyTime') : weekWords(periods)]),
        ...(dates.length > SHOWN_DATES ? [...dates.slice(0, SHOWN_DATES), '…'] : dates),
      ]),
  }
}

/** Status colour of a pending change by its state. */
export const STATUS_OF = { waiting: 'wait', confirmed: 'ok', rejected: 'bad', outdated: 'off', expired: 'off' } as const satisfies Record<
  PendingState,
  string
>
