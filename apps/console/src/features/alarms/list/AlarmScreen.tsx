/** The frame of every list of alarms: its tabs, its filters, the table, and the dialog in which one alarm is shown and handled. */
import { Alert } from 'antd'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { sentenceOf } from '../../../api/refusal.ts'
import { TabScreen } from '../../../kit/detail/TabScreen.tsx'
import { isKey, KEYS } from '../../../kit/keys.ts'
import type { TableColumn } from '../../../kit/list/columns.tsx'
import { FilterBar, type Filter } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import type { Period } from '../../../kit/list/range.ts'
import { RangeField } from '../../../kit/list/RangeField.tsx'
import { useFocusedRow } from '../../../kit/list/useFocusedRow.ts'
import { CaseButton, useMayExportCase } from '../cases/CaseButton.tsx'
import { AlarmDialog } from './AlarmDialog.tsx'
import type { AlarmHandling, AlarmKind, AlarmRow } from './alarmKind.ts'
import type { AlarmList } from './useAlarmList.ts'
import type { ShownAlarm } from './useShownAlarm.ts'
import styles from './alarms.module.css'

/** Days that a list looks back when no time is chosen. */
const ALARM_DAYS = 7

interface AlarmScreenProps<Row extends AlarmRow, Query> {
  title: string
  list: AlarmList<Row, Query>
  kind: AlarmKind<Row>
  columns: TableColumn<Row>[]
  filters: Filter<Query>[]
  shown: ShownAlarm<Row>
  /** What the list shows where no time is chosen. */
  unset?: number | 'any'
}

export function AlarmScreen<Row extends AlarmRow, Query extends Period>({
  title,
  list,
  kind,
  columns,
  filters,
  shown: { row: read, error, open: show, close },
  unset = ALARM_DAYS,
}: AlarmScreenProps<Row, Query>) {
  const { t } = useTranslation('alarms')
  const { handling } = kind
  const mayExportCase = useMayExportCase()
  const shown = read && (list.rows.find(({ id }) => id === read.id) ?? read)
  const { frame, onFocus, onBlur, rowOf, focusAt } = useFocusedRow(list.rows, shown !== undefined)
  /** Place in the list of the alarm that is shown: where the focus goes when it is closed. */
  const [place, setPlace] = useState(0)

  const open = (row: Row): void => {
    setPlace(
      Math.max(
        0,
        list.rows.findIndex(({ id }) => id === row.id),
      ),
    )
    show(row)
  }
  return (
    <TabScreen
      title={title}
      note={!list.pending && t(list.totalExact ? 'total' : 'totalAtLeast', { count: list.totalExact ? list.total : list.total - 1 })}
      label={t('tabs')}
      tabs={list.tabs.map(({ tab, address }) => ({ address, label: t(`tab.${tab}`), current: tab === list.tab }))}
    >
      <FilterBar list={list} filters={filters}>
        <RangeField unset={unset} value={list.query} onChange={(period) => list.setQuery(period as Partial<Query>)} />
        <ListTools list={list} columns={columns} />
      </FilterBar>
      {error !== undefined && (
        <Alert type="error" showIcon className={styles.alert ?? ''} closable={{ onClose: close }} title={wordsOf(error)} />
      )}
      <div
        ref={frame}
        role="presentation"
        className={styles.list}
        onFocus={onFocus}
        onBlur={onBlur}
        // Before the table opens the row by Enter.
        onKeyDownCapture={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !isKey(KEYS.alarms.begin, keyOf(event.key))) return
          const row = rowOf(event.target as HTMLElement)
          if (row === undefined) return
          event.preventDefault()
          event.stopPropagation()
          if (handling?.canBegin?.(row)) void handling.begin?.(row).catch(() => {})
          open(row)
        }}
      >
        <ListTable
          list={list}
          columns={columns}
          empty={{ title: t(`none.${list.tab}`) }}
          onOpen={open}
          {...(mayExportCase && { bulk: (ids: string[]) => <CaseButton kind={kind.inCases} ids={ids} /> })}
        />
        {list.rows.length > 0 && <KeyHints handling={handling} />}
      </div>
      <AlarmDialog kind={kind} row={shown} rows={list.rows} show={open} close={close} closed={() => focusAt(place)} />
    </TabScreen>
  )
}

const keyOf = (key: string): string => (key.length === 1 ? key.toLowerCase() : key)

/** A link may lead to an alarm that is not there any more. */
const wordsOf = (error: unknown): ReactNode => (typeof error === 'string' ? error : sentenceOf(error as Parameters<typeof sentenceOf>[0]))

/** The keys of the list. */
function KeyHints<Row extends AlarmRow>({ handling }: { handling: AlarmHandling<Row> | undefined }) {
  const { t } = useTranslation('alarms')
  return (
    <p className={styles.keys}>
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> {t('keys.move')}
      </span>
      <span>
        <kbd>Enter</kbd>
        <kbd>D</kbd> {t(handling?.begin ? 'keys.begin' : 'keys.open')}
      </span>
      {handling?.decisions.map(({ name, label }, at) => (
        <span key={name}>
          <kbd>{at + 1}</kbd> {label}
        </span>
      ))}
    </p>
  )
}
