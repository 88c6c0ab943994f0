/** Among whom is searched, how strictly, how many are shown and in which order. */
import { Checkbox, InputNumber, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { shownScore, THRESHOLD_MAX, THRESHOLD_MIN, type OutputOf } from '@gatehouse/contract'
import { isBuilt } from '@gatehouse/contract/built'
import { monitorPrecision, resultOrder, topN } from '@gatehouse/contract/enums'
import { SEARCHED_KINDS, searchCalls } from '@gatehouse/contract/people/search'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { readQuery, writeQuery } from '../../../kit/list/address.ts'
import styles from './oneToN.module.css'

/** What is asked for where somebody chooses a score of his own before any search. */
const FIRST_CUSTOM = 60

/** The raw score of one as it is shown, never one that would be shown as less. */
const rawOf = (shown: number): number => Math.min(THRESHOLD_MAX, Math.max(THRESHOLD_MIN, Math.ceil((shown / 10) ** 2 * 10_000) / 10_000))

interface SearchOptionsProps {
  wishes: SearchWishes
  change: (some: Partial<SearchWishes>) => void
  /** Raw score of the last search. */
  threshold: number | undefined
}

export function SearchOptions({ wishes, change, threshold }: SearchOptionsProps) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  const has = {
    staff: true,
    customer: useMayOpen({ permission: null, condition: 'customerManager' }),
    special: useMayOpen({ permission: null, condition: 'notOther' }),
    visitor: isBuilt('visitor'),
  }
  const registers = SEARCHED_KINDS.filter((kind) => has[kind])
  const chosen = wishes.kinds ?? registers
  const setRegisters = (kinds: readonly string[]): void => {
    // None at all is a search that finds nobody: all are meant.
    const some = registers.filter((kind) => kinds.includes(kind))
    change({ kinds: some.length === 0 || some.length === registers.length ? undefined : [...some] })
  }
  const setPrecision = (precision: SearchWishes['precision']): void =>
    change({ precision, custom: precision === monitorPrecision.custom ? (wishes.custom ?? threshold ?? FIRST_CUSTOM) : undefined })

  return (
    <div className={styles.options}>
      {registers.length > 1 && (
        <fieldset>
          <legend>{t('search.registers')}</legend>
          <Checkbox.Group
            value={[...chosen]}
            onChange={(kinds) => setRegisters(kinds)}
            options={registers.map((value) => ({ value, label: t(`search.register.${value}`) }))}
          />
        </fieldset>
      )}
      <fieldset>
        <legend>{t('search.top')}</legend>
        <Select
          aria-label={t('search.top')}
          className={styles.choice ?? ''}
          value={wishes.top}
          options={optionsOf(topN) as { value: SearchWishes['top']; label: string }[]}
          onChange={(top) => change({ top })}
        />
      </fieldset>
      <fieldset>
        <legend>{t('search.order')}</legend>
        <Select
          aria-label={t('search.order')}
          className={styles.choice ?? ''}
          value={wishes.order}
          options={optionsOf(resultOrder) as { value: SearchWishes['order']; label: string }[]}
          onChange={(order) => change({ order })}
        />
      </fieldset>
      <fieldset className={styles.precision}>
        <legend>{t('search.precision')}</legend>
        <Segmented
          aria-label={t('search.precision')}
          value={wishes.precision}
          options={optionsOf(monitorPrecision)}
          onChange={(value) => setPrecision(value as SearchWishes['precision'])}
        />
        {wishes.precision === monitorPrecision.custom && (
          <InputNumber
            aria-label={t('search.custom')}
            prefix={t('search.custom')}
            min={shownScore(THRESHOLD_MIN)}
            max={shownScore(THRESHOLD_MAX)}
            step={1}
            precision={1}
            value={shownScore(wishes.custom ?? FIRST_CUSTOM)}
            onChange={(shown) => shown !== null && change({ custom: rawOf(shown) })}
          />
        )}
      </fieldset>
    </div>
  )
}

const schema = searchCalls.oneToN.body.omit({ faceId: true })
export type SearchWishes = OutputOf<typeof schema>

/** What a search asks for beside the photograph; in the address, so that it is there again when one comes back. */
export function useSearchWishes(): [wishes: SearchWishes, change: (some: Partial<SearchWishes>) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (some: Partial<SearchWishes>): void =>
    setSearch((before) => writeQuery(schema, { ...readQuery(schema, before), ...some }), { replace: true })
  return [readQuery(schema, search), change]
}
