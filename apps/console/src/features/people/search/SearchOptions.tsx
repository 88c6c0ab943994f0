/** Settings of a search: the registers, the strictness, the number of results and their order. */
import { Checkbox, InputNumber, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { shownScore, THRESHOLD_MAX, THRESHOLD_MIN, type OutputOf } from '@gatehouse/contract'
import { monitorPrecision, resultOrder, topN } from '@gatehouse/contract/enums'
import { SEARCHED_KINDS, searchCalls } from '@gatehouse/contract/people/search'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { readQuery, writeQuery } from '../../../kit/list/address.ts'
import styles from './oneToN.module.css'

/** Score that is offered first where a user chooses a custom one before any search. */
const FIRST_CUSTOM = 60

/** Return the lowest raw score that is shown as this one. */
const rawOf = (shown: number): number => Math.min(THRESHOLD_MAX, Math.max(THRESHOLD_MIN, Math.ceil((shown / 10) ** 2 * 10_000) / 10_000))

interface SearchOptionsProps {
  settings: SearchSettings
  change: (some: Partial<SearchSettings>) => void
  /** Raw score of the last search. */
  threshold: number | undefined
}

export function SearchOptions({ settings, change, threshold }: SearchOptionsProps) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  const has = {
    staff: true,
    customer: useMayOpen({ permission: null, condition: 'customerManager' }),
    special: useMayOpen({ permission: null, condition: 'notOther' }),
    visitor: useMayOpen({ permission: 'visitor.report' }),
  }
  const registers = SEARCHED_KINDS.filter((kind) => has[kind])
  const chosen = settings.kinds ?? registers
  const setRegisters = (kinds: readonly string[]): void => {
    // A search in no register would find nobody: no choice means all.
    const some = registers.filter((kind) => kinds.includes(kind))
    change({ kinds: some.length === 0 || some.length === registers.length ? undefined : [...some] })
  }
  const setPrecision = (precision: SearchSettings['precision']): void =>
    change({ precision, custom: precision === monitorPrecision.custom ? (settings.custom ?? threshold ?? FIRST_CUSTOM) : undefined })

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
          value={settings.top}
          options={optionsOf(topN) as { value: SearchSettings['top']; label: string }[]}
          onChange={(top) => change({ top })}
        />
      </fieldset>
      <fieldset>
        <legend>{t('search.order')}</legend>
        <Select
          aria-label={t('search.order')}
          className={styles.choice ?? ''}
          value={settings.order}
          options={optionsOf(resultOrder) as { value: SearchSettings['order']; label: string }[]}
          onChange={(order) => change({ order })}
        />
      </fieldset>
      <fieldset className={styles.precision}>
        <legend>{t('search.precision')}</legend>
        <Segmented
          aria-label={t('search.precision')}
          value={settings.precision}
          options={optionsOf(monitorPrecision)}
          onChange={(value) => setPrecision(value as SearchSettings['precision'])}
        />
        {settings.precision === monitorPrecision.custom && (
          <InputNumber
            aria-label={t('search.custom')}
            prefix={t('search.custom')}
            min={shownScore(THRESHOLD_MIN)}
            max={shownScore(THRESHOLD_MAX)}
            step={1}
            precision={1}
            value={shownScore(settings.custom ?? FIRST_CUSTOM)}
            onChange={(shown) => shown !== null && change({ custom: rawOf(shown) })}
          />
        )}
      </fieldset>
    </div>
  )
}

const schema = searchCalls.oneToN.body.omit({ faceId: true, reason: true })
export type SearchSettings = OutputOf<typeof schema>

/** Return the settings of a search besides the photograph. They are kept in the address, so that the way back restores them. */
export function useSearchSettings(): [settings: SearchSettings, change: (some: Partial<SearchSettings>) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (some: Partial<SearchSettings>): void =>
    setSearch((before) => writeQuery(schema, { ...readQuery(schema, before), ...some }), { replace: true })
  return [readQuery(schema, search), change]
}
