/** The filters of a list in one line that never breaks: those that do not fit are behind "more". `/` moves the focus to the first. */
import { CloseCircleFilled, DownOutlined, FilterOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Dropdown, Popover, type InputRef } from 'antd'
import Input from 'antd/es/input/Input'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isKey, isTyping, KEYS } from '../keys.ts'
import { usePrinting } from '../printing.ts'
import { useSession } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../time.ts'
import type { List } from './useList.ts'
import styles from './table.module.css'

export interface Filter<Query> {
  field: Extract<keyof Query, string>
  label: string
  /** Finds whole numbers and their last four characters, and no other part. */
  numbers?: true
  /** Choices; absent: the user types a text. */
  options?: Choice[]
}
interface Choice {
  value: string | number
  label: string
  /** Also found by this; choices that have a code can be searched. */
  code?: string
}

interface FilterBarProps<Query> {
  list: Pick<List<unknown, Query>, 'query' | 'filtered' | 'clear'> &
    Partial<Pick<List<unknown, Query>, 'personal'>> & { setQuery: (change: Partial<Query>) => void }
  filters: Filter<Query>[]
  /** What the filters are about, where the page below has filters, too. */
  label?: string
  /** Further restrictions of the list, in the words of a printed page. */
  printed?: (string | false)[]
  /** Shown at the end of the line. */
  children?: ReactNode
}

const FIELD_WIDTH = 152
const GAP = 8
/** Pixels reserved for "more" and "clear". */
const RESERVED = 200
/** Pause in typing before the list is read; milliseconds. */
const PAUSE = 300

export function FilterBar<Query extends object>({ list, filters, label, printed, children }: FilterBarProps<Query>) {
  const { t } = useTranslation()
  const printing = usePrinting()
  const isMasked = useSession(({ profile }) => profile?.enablePageDataMasking === true)
  const line = useRef<HTMLDivElement>(null)
  const [fitting, setFitting] = useState(filters.length)
  useLayoutEffect(() => {
    if (!line.current) return
    const observer = new ResizeObserver(([entry]) =>
      setFitting(Math.max(1, Math.floor(((entry?.contentRect.width ?? 0) - RESERVED) / (FIELD_WIDTH + GAP)))),
    )
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [])

  const rest = filters.slice(fitting)
  const setInRest = rest.filter(({ field }) => list.query[field] !== undefined).length
  const input = (filter: Filter<Query>, first: boolean) => (
    <FilterInput
      key={filter.field}
      filter={filter}
      first={first}
      whole={isMasked && list.personal?.has(filter.field) === true}
      value={list.query[filter.field]}
      set={(value) => list.setQuery({ [filter.field]: value } as Partial<Query>)}
    />
  )
  const bar = (
    <div className={styles.filters} role="search" aria-label={label}>
      <div className={styles.line} ref={line}>
        {filters.slice(0, fitting).map((filter, at) => input(filter, at === 0))}
        {rest.length > 0 && (
          <Popover
            trigger="click"
            placement="bottomLeft"
            arrow={false}
            content={
              <div className={styles.rest}>
                {rest.map((filter) => (
                  <label key={filter.field}>
                    {filter.label}
                    {input(filter, false)}
                  </label>
                ))}
              </div>
            }
          >
            <Button icon={<FilterOutlined />}>
              {t('list.moreFilters')}
              {setInRest > 0 && ` · ${setInRest}`}
            </Button>
          </Popover>
        )}
        {list.filtered && (
          <Button type="text" onClick={list.clear}>
            {t('list.clearFilter')}
          </Button>
        )}
      </div>
      {children}
    </div>
  )
  return (
    <>
      {printing && <PrintedFilters query={list.query} filters={filters} printed={printed} />}
      {bar}
    </>
  )
}

/** The filters of the list in one line; nothing where there are none. */
function PrintedFilters<Query extends object>({
  query,
  filters,
  printed = [],
}: {
  query: Query
  filters: Filter<Query>[]
  printed: FilterBarProps<Query>['printed']
}) {
  const { t } = useTranslation()
  const { offset } = useZoneOffset()
  const { startTime, endTime } = query as { startTime?: number; endTime?: number }
  const moment = (at: number | undefined): string => (at === undefined ? '…' : formatInstant(at, offset))
  const parts = [
    ...(startTime === undefined && endTime === undefined ? [] : [`${t('range.title')}: ${moment(startTime)} – ${moment(endTime)}`]),
    ...filters.flatMap(({ field, label, options }) => {
      const value = query[field] as unknown
      if (value === undefined || value === '') return []
      return [`${label}: ${options?.find((option) => option.value === value)?.label ?? String(value)}`]
    }),
    ...printed.filter((words) => words !== false),
  ]
  if (parts.length === 0) return null
  return <p className={styles.printed}>{`${t('list.filters')}: ${parts.join(' · ')}`}</p>
}

interface FilterInputProps<Query> {
  filter: Filter<Query>
  first: boolean
  /** Finds whole values only, since the values are shown masked. */
  whole: boolean
  value: unknown
  set: (value: unknown) => void
}

function FilterInput<Query>({ filter: { label, numbers, options }, first, whole, value, set }: FilterInputProps<Query>) {
  const { t } = useTranslation()
  const rule = whole ? 'whole' : numbers === true ? 'ending' : null
  const words = rule === null ? undefined : t(`list.${rule}Words`)
  const shared = {
    'aria-label': label,
    placeholder: rule === null ? label : t(`list.${rule}`, { name: label }),
    ...(words !== undefined && { title: words, 'aria-description': words }),
    allowClear: true,
    className: first ? (styles.first ?? '') : '',
    style: { width: FIELD_WIDTH },
  } as const
  if (options) return <ChoiceFilter label={label} options={options} value={value} set={set} />
  return <TextFilter shared={shared} first={first} value={String(value ?? '')} set={set} />
}

type Options = NonNullable<Filter<unknown>['options']>

/** A choice of a few values from a menu; a chosen one can be cleared in place. */
function ChoiceFilter({ label, options, value, set }: { label: string; options: Options; value: unknown; set: (value: unknown) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const chosen = options.find((option) => option.value === value)
  const isSearched = options.some(({ code }) => code !== undefined)
  const offered = options.filter(({ label: words, code = '' }) =>
    [words, code].some((text) => text.toLowerCase().includes(typed.trim().toLowerCase())),
  )
  const choose = (option: Choice): void => {
    setOpen(false)
    // The focused element is removed with the choices.
    if (isSearched) button.current?.focus()
    set(option.value)
  }
  const items = offered.map((option) => ({
    key: String(option.value),
    label:
      option.code === undefined ? (
        option.label
      ) : (
        <span className={styles.coded}>
          <span>{option.label}</span>
          <small>{option.code}</small>
        </span>
      ),
    onClick: () => choose(option),
  }))
  return (
    <span className={styles.choice} data-set={chosen !== undefined || undefined} style={{ width: FIELD_WIDTH }}>
      <Dropdown
        trigger={['click']}
        open={open}
        destroyOnHidden={isSearched}
        onOpenChange={(next) => {
          setTyped('')
          setOpen(next)
        }}
        menu={{ items, selectable: true, selectedKeys: chosen ? [String(chosen.value)] : [] }}
        {...(isSearched && {
          popupRender: (menu: ReactNode) => (
            <div className={styles.searched}>
              <SearchedFor label={label} typed={typed} setTyped={setTyped} choose={() => offered[0] && choose(offered[0])} />
              {offered.length === 0 ? <p>{t('list.noChoice')}</p> : menu}
            </div>
          ),
        })}
      >
        <button ref={button} type="button" aria-haspopup="menu" title={chosen ? `${label}: ${chosen.label}` : label}>
          <span>{chosen ? chosen.label : label}</span>
          {!chosen && <DownOutlined />}
        </button>
      </Dropdown>
      {chosen && (
        <button type="button" aria-label={t('list.clearOne', { name: label })} onClick={() => set(undefined)}>
          <CloseCircleFilled />
        </button>
      )}
    </span>
  )
}

interface SearchedForProps {
  label: string
  typed: string
  setTyped: (typed: string) => void
  /** Chooses the first match. */
  choose: () => void
}

/** An input above the choices: typed text narrows them, the down arrow moves to them. */
function SearchedFor({ label, typed, setTyped, choose }: SearchedForProps) {
  const { t } = useTranslation()
  const input = useRef<InputRef>(null)
  // The menu is first laid out of sight, where the input cannot have the focus: try again until it has moved into place.
  useEffect(() => {
    let frame = 0
    const focus = (): void => {
      input.current?.focus()
      if (document.activeElement !== input.current?.input) frame = requestAnimationFrame(focus)
    }
    focus()
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <Input
      ref={input}
      aria-label={t('list.searchChoice', { name: label })}
      placeholder={t('list.searchChoice', { name: label })}
      prefix={<SearchOutlined />}
      value={typed}
      maxLength={64}
      onChange={(event) => setTyped(event.target.value)}
      onPressEnter={(event) => {
        // The button has the focus by now: the same key press would open the choices again.
        event.preventDefault()
        choose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        event.currentTarget.closest(`.${styles.searched}`)?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
      }}
    />
  )
}

function TextFilter({ shared, first, value, set }: { shared: object; first: boolean; value: string; set: (value: unknown) => void }) {
  const [typed, setTyped] = useState(value)
  const [submitted, setSubmitted] = useState(value)
  const [seen, setSeen] = useState(value)
  // The address was changed by other means than this input, such as "clear": follow it.
  if (value !== seen) {
    setSeen(value)
    if (value !== submitted) setTyped(value)
  }
  const input = useRef<InputRef>(null)
  const ask = useEffectEvent((): void => {
    const text = typed.trim()
    if (text === value) return
    setSubmitted(text)
    set(text || undefined)
  })
  useEffect(() => {
    const timer = setTimeout(ask, PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  useSlash(first ? input : undefined)
  return (
    <Input
      {...shared}
      ref={input}
      value={typed}
      maxLength={64}
      onChange={(event) => setTyped(event.target.value)}
      prefix={first ? <SearchOutlined /> : undefined}
      suffix={first && typed === '' ? <kbd aria-hidden="true">/</kbd> : undefined}
    />
  )
}

function useSlash(input: { current: InputRef | null } | undefined): void {
  useEffect(() => {
    if (!input) return
    const focus = (event: KeyboardEvent): void => {
      if (!isKey(KEYS.everywhere.filter, event.key) || isTyping(event)) return
      event.preventDefault()
      input.current?.focus({ cursor: 'all' })
    }
    window.addEventListener('keydown', focus)
    return () => window.removeEventListener('keydown', focus)
  }, [input])
}
