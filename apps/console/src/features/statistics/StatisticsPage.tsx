/** /accessStatistics: passages by time, door and group, and refusals by reason. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { DownloadOutlined, DownOutlined } from '@ant-design/icons'
import { Alert, Button, Dropdown, Segmented, Table } from 'antd'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { STATISTICS_BY, statisticsCalls, type Statistics, type StatisticsRow } from '@gatehouse/contract/statistics/calls'
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import { accessResult } from '@gatehouse/contract/enums/access'
import { readQuery, writeQuery } from '../../kit/list/address.ts'
import { Bars } from '../../kit/detail/Bars.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListEmpty, ListError } from '../../kit/list/ListStates.tsx'
import { readOptions } from '../../api/query.ts'
import { daysOfPeriod, type Days } from '../../kit/list/range.ts'
import { RangeField } from '../../kit/list/RangeField.tsx'
import { request } from '../../api/request.ts'
import { saveFile } from '../../api/saveFile.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMeasures } from '../../api/session.ts'
import { formatDate, useZoneOffset } from '../../kit/time.ts'
import { path } from '../../paths.ts'
import { Tallies } from './Tallies.tsx'
import { useStatisticsFilters } from './useStatisticsFilters.ts'
import { addressQuery, byFor, isTooFine, momentsOf, momentsOfLine, timeWords, windowIn, type StatisticsQuery } from './statisticsWindow.ts'
import styles from './statistics.module.css'

const StatisticsChart = lazy(() => import('./StatisticsChart.tsx'))

/** Doors or groups drawn at most; the table has the rest. */
const DRAWN = 12
const FIGURES = ['total', 'allowed', 'rejected', 'entries', 'exits'] as const
/** Figures that exist only where temperatures are measured. */
const MEASURED_FIGURES = ['checked', 'fever'] as const
const isLying = ({ by }: Pick<Statistics, 'by'>): boolean => by === 'device' || by === 'group'

export default function StatisticsPage() {
  const { t } = useTranslation('statistics')
  const { offset } = useZoneOffset()
  const [search, setSearch] = useSearchParams()
  const [saving, setSaving] = useState(false)
  const filters = useStatisticsFilters()
  const today = formatDate(Date.now(), offset)
  const query = readQuery(addressQuery, search)
  const { from: _from, to: _to, by: _by, ...filter } = query
  const window = windowIn(query, today)
  const by = isTooFine(query.by, window) ? byFor('day', window) : query.by
  const parameters = { ...filter, ...window, by }
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...readOptions(statisticsCalls.statistics, { query: parameters }),
    placeholderData: keepPreviousData,
  })

  const setQuery = (change: Partial<StatisticsQuery>): void =>
    setSearch(() => writeQuery(addressQuery, { ...query, ...change }), { replace: true })
  const setWindow = (next: Days): void => setQuery({ ...next, by: byFor(by, next) })
  const clear = (): void => setQuery(Object.fromEntries(Object.keys(filter).map((field) => [field, undefined])))
  const filtered = Object.values(filter).some((value) => value !== undefined)

  async function save(format: 'xlsx' | 'csv'): Promise<void> {
    setSaving(true)
    try {
      saveFile(await request(statisticsCalls.exportStatistics, { query: { ...parameters, format } }))
    } catch {
      // A refusal has been shown already.
    } finally {
      setSaving(false)
    }
  }

  /** Return a link to the counted records. Records have no groups: where a group is chosen they cannot be listed. */
  function toRecords(more: Record<string, string | number>, words: ReactNode): ReactNode {
    if (filter.personGroupId !== undefined || filter.deviceGroupId !== undefined) return words
    const { deviceId, result, failReason } = filter
    const recordFilters = Object.entries({ ...momentsOf(window, offset), deviceId, result, failReason, ...more }).filter(
      ([, value]) => value !== undefined,
    )
    return (
      <Link to={`${path('staffCurrent')}?${new URLSearchParams(recordFilters.map(([field, value]) => [field, String(value)]))}`}>
        {words}
      </Link>
    )
  }

  return (
    <Screen
      title={t('title')}
      actions={
        <Dropdown
          trigger={['click']}
          menu={{
            items: (['xlsx', 'csv'] as const).map((format) => ({
              key: format,
              label: t(`export.${format}`),
              onClick: () => void save(format),
            })),
          }}
        >
          <Button icon={<DownloadOutlined />} loading={saving}>
            {t('export.title')} <DownOutlined />
          </Button>
        </Dropdown>
      }
    >
      <FilterBar list={{ query, setQuery, filtered, clear }} filters={filters} printed={[`${window.from} – ${window.to}`, t(`by.${by}`)]} />
      <div className={styles.controls}>
        <RangeField
          back={[90, 365]}
          withTimes={false}
          value={momentsOf(window, offset)}
          onChange={(period) => setWindow(daysOfPeriod(period, today, offset)?.days ?? window)}
        />
        <Segmented
          aria-label={t('by.title')}
          value={by}
          onChange={(next) => setQuery({ by: next })}
          options={STATISTICS_BY.map((value) => ({ value, label: t(`by.${value}`), disabled: isTooFine(value, window) }))}
        />
      </div>
      {data?.complete === false && <Alert type="info" showIcon title={t('counting')} style={{ marginBottom: 16 }} />}
      {error && !data ? (
        <ListError error={error} retry={() => void refetch()} />
      ) : isPending || !data ? (
        <Bars count={10} />
      ) : (
        <div className={isFetching ? styles.refreshing : undefined}>
          <Report statistics={data} window={window} filtered={filtered} clear={clear} toRecords={toRecords} />
        </div>
      )}
    </Screen>
  )
}

interface ReportProps {
  statistics: Statistics
  window: Days
  filtered: boolean
  clear: () => void
  toRecords: (more: Record<string, string | number>, words: ReactNode) => ReactNode
}

function Report({ statistics, window, filtered, clear, toRecords }: ReportProps) {
  const { t, i18n } = useTranslation('statistics')
  const { offset } = useZoneOffset()
  const { by, rows, summary } = statistics
  const { temperature } = useMeasures()
  const figures = temperature ? [...FIGURES, ...MEASURED_FIGURES] : FIGURES
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const lying = isLying(statistics)
  const [deletedName, noGroup] = [t('gone'), t('noGroup')]
  // Made again only for another answer: a new drawing would remove the tooltip under the pointer.
  const lineWords = useMemo(
    () =>
      new Map(
        statistics.rows.map(({ key, name }) => [
          key,
          isLying(statistics) ? name || (key === '' ? noGroup : deletedName) : timeWords(key, statistics),
        ]),
      ),
    [statistics, deletedName, noGroup],
  )
  const bars = useMemo(() => {
    const drawn = statistics.rows.slice(0, isLying(statistics) ? DRAWN : undefined)
    return drawn.map(({ key, allowed, rejected }) => ({ words: lineWords.get(key) ?? '', allowed, rejected }))
  }, [statistics, lineWords])
  if (summary.total === 0) return <ListEmpty filtered={filtered} clear={clear} title={t('nobody')} />

  const line = (row: StatisticsRow): ReactNode => {
    if (by === 'group') return lineWords.get(row.key)
    return toRecords(
      { ...momentsOfLine(row.key, by, window, offset), ...(by === 'device' && { deviceId: row.key }) },
      lineWords.get(row.key),
    )
  }
  const waiting = <div className={styles.chartWaiting} />
  return (
    <>
      <dl className={styles.figures}>
        {figures.map((name) => (
          <div key={name} data-bad={(name === 'rejected' || name === 'fever') && summary[name] > 0}>
            <dt>{t(`figure.${name}`)}</dt>
            <dd>{number(summary[name])}</dd>
          </div>
        ))}
      </dl>
      <ul className={styles.legend} aria-hidden="true">
        <li data-series="allowed">{t('figure.allowed')}</li>
        <li data-series="rejected">{t('figure.rejected')}</li>
      </ul>
      <div
        className={styles.chart}
        role="img"
        aria-label={t('chart', { total: number(summary.total), allowed: number(summary.allowed), rejected: number(summary.rejected) })}
      >
        <Suspense fallback={waiting}>
          <StatisticsChart bars={bars} lying={lying} allowed={t('figure.allowed')} rejected={t('figure.rejected')} />
        </Suspense>
      </div>
      <div className={styles.below}>
        <section className={styles.lines} aria-label={t('lines')}>
          <Table<StatisticsRow>
            key={by}
            size="small"
            rowKey="key"
            dataSource={lying ? rows : rows.toReversed()}
            pagination={{ pageSize: PAGE_SIZE_DEFAULT, showSizeChanger: false, hideOnSinglePage: true }}
            tableLayout="fixed"
            scroll={{ x: 620 }}
            columns={[
              { key: 'key', title: t(`by.${by}`), width: 112, ellipsis: true, render: (_, row) => line(row) },
              ...figures.map((name) => ({
                key: name,
                title: t(`figure.${name}`),
                align: 'right' as const,
                width: 78,
                render: (_: unknown, row: StatisticsRow) => number(row[name]),
              })),
            ]}
          />
        </section>
        <Tallies
          statistics={statistics}
          toRecords={(failReason, words) => toRecords({ failReason, result: accessResult.rejected }, words)}
        />
      </div>
    </>
  )
}
