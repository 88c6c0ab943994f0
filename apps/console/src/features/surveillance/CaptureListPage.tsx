/** /capturedList and /identifyList: faces that cameras captured, and those that were compared by a monitoring task. */
import { Select } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { alarmMatchType, resultOrder } from '@gatehouse/contract/enums/alarms'
import { captureCalls, type CAPTURE_LISTS } from '@gatehouse/contract/surveillance/captures'
import { useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar, type Filter } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RangeField } from '../../kit/list/RangeField.tsx'
import { useDrawer } from '../../kit/list/useDrawer.ts'
import { useList, type ListQuery } from '../../kit/list/useList.ts'
import { DOOR_SEARCH, doorOption, useDoorChoices, type DoorChoice } from '../../shared/doorChoices.tsx'
import { ExportButton } from '../exports/index.ts'
import { useCaptureColumns } from './captureColumns.tsx'
import styles from './captures.module.css'

const CaptureDrawer = lazy(() => import('./CaptureDrawer.tsx'))

type Query = ListQuery<typeof captureCalls.find>

/** Parameter of the address that names a row. */
const PARAMETER = 'capture'
/** Days that the list looks back when no time is chosen. */
const DAYS = 7
/** Scores, as they are shown, from which rows can be listed; the server compares raw ones. */
const LEAST_SCORES = [60, 70, 80, 90]
const rawScore = (shown: number): number => (shown / 10) ** 2

export default function CaptureListPage({ list: which }: { list: (typeof CAPTURE_LISTS)[number] }) {
  const { t } = useTranslation('surveillance')
  const list = useList(captureCalls.find, { name: `captures.${which}`, fixed: { list: which }, always: ['list', 'order'] })
  const columns = useCaptureColumns(which)
  const filters = useFilters(which)
  const { open, used, show } = useDrawer(PARAMETER)
  const title = t(`capture.title.${which}`)
  return (
    <Screen
      title={title}
      note={
        !list.pending &&
        t(list.totalExact ? 'capture.total' : 'capture.totalAtLeast', { count: list.totalExact ? list.total : list.total - 1 })
      }
      actions={
        <ExportButton
          list={{ ...list, query: { ...filtersOf(list.query), list: which } }}
          source={{ start: captureCalls.export, list: captureCalls.find, title: t(`capture.export.${which}`), days: DAYS }}
        />
      }
    >
      <FilterBar list={list} filters={filters}>
        <DevicesFilter value={list.query.deviceIds ?? []} set={(deviceIds) => list.setQuery({ deviceIds })} />
        <OrderChoice value={list.query.order} set={(order) => list.setQuery({ order })} />
        <RangeField unset={DAYS} value={list.query} onChange={list.setQuery} />
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable list={list} columns={columns} empty={{ title: t(`capture.none.${which}`) }} onOpen={({ id }) => show(id)} />
      <Suspense fallback={null}>
        {used && <CaptureDrawer capture={list.rows.find(({ id }) => id === open)} rows={list.rows} show={show} />}
      </Suspense>
    </Screen>
  )
}

/** Return the filters of a query without page and order, which an export does not take. */
function filtersOf({ page: _page, size: _size, pageNo: _pageNo, pageSize: _pageSize, after: _after, order: _order, ...filters }: Query) {
  return filters
}

function useFilters(which: (typeof CAPTURE_LISTS)[number]): Filter<Query>[] {
  const { t } = useTranslation('surveillance')
  const optionsOf = useEnumOptions()
  const tasks = useRead(alarmsCalls.surveillanceList, {})
  return [
    { field: 'personName', label: t('capture.person') },
    ...(tasks.data === undefined
      ? []
      : [{ field: 'taskId' as const, label: t('capture.task'), options: tasks.data.map(({ id, name }) => ({ value: id, label: name })) }]),
    { field: 'matchType', label: t('capture.matchType'), options: optionsOf(alarmMatchType) },
    {
      field: 'minScore',
      label: t('capture.minScore'),
      options: LEAST_SCORES.map((score) => ({ value: rawScore(score), label: t('capture.atLeast', { score }) })),
    },
  ].filter(({ field }) => which === 'identified' || field !== 'matchType') as Filter<Query>[]
}

/** A choice of several devices; none stands for all. */
function DevicesFilter({ value, set }: { value: readonly string[]; set: (ids: string[] | undefined) => void }) {
  const { t } = useTranslation('surveillance')
  const doors = useDoorChoices()
  if (doors === undefined) return null
  return (
    <Select<string[], DoorChoice>
      mode="multiple"
      className={styles.filter ?? ''}
      aria-label={t('capture.device')}
      placeholder={t('capture.device')}
      allowClear
      maxTagCount={1}
      maxTagTextLength={6}
      showSearch={{ optionFilterProp: DOOR_SEARCH }}
      value={[...value]}
      options={doors}
      optionRender={doorOption}
      onChange={(ids) => set(ids.length > 0 ? ids : undefined)}
    />
  )
}

function OrderChoice({ value, set }: { value: Query['order']; set: (order: Query['order']) => void }) {
  const { t } = useTranslation('surveillance')
  const optionsOf = useEnumOptions()
  return (
    <Select
      className={styles.filter ?? ''}
      aria-label={t('capture.order')}
      value={value ?? resultOrder.newestFirst}
      options={optionsOf(resultOrder)}
      onChange={(order) => set(order === resultOrder.newestFirst ? undefined : (order as Query['order']))}
    />
  )
}
