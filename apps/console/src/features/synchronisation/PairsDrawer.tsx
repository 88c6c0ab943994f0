/** The persons of one device, or the devices of one person, beside the list: progress, reason of a failure, and a new attempt. */
import { RedoOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Drawer, Segmented } from 'antd'
import Input from 'antd/es/input/Input'
import { useRef, useEffect, useEffectEvent, useState, type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import { PAGE_START, PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import type { SyncPair } from '@gatehouse/contract/synchronisation/calls'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import type { List } from '../../kit/list/useList.ts'
import { useRead } from '../../api/query.ts'
import { useListOf, useLocalQuery } from '../../kit/list/useLocalList.ts'
import { AgainButton, useResend } from './AgainButton.tsx'
import { usePairColumns } from './pairColumns.tsx'
import { useSyncWords } from './syncWords.ts'
import { useSyncWatch } from './useSyncWatch.ts'
import { SyncContext } from './syncCalls.ts'
import styles from './synchronisation.module.css'

const WIDTH = 720
const UNDER_WAY: readonly number[] = [personSyncStatus.syncing, personSyncStatus.deleting]
const TO_SEND_AGAIN: readonly number[] = [personSyncStatus.failed, personSyncStatus.overtime]

export interface PairsSubject {
  of: PairsOf
  /** Name of the device or person. */
  name: string
  /** Filter that is set first. */
  status?: number | undefined
}

/** @param subject undefined: closed */
export default function PairsDrawer({ subject, close }: { subject: PairsSubject | undefined; close: () => void }) {
  const { t } = useTranslation('synchronisation')
  const words = useSyncWords()
  const inside = useRef<HTMLDivElement>(null)
  const title =
    subject &&
    (subject.of.deviceId !== undefined ? t('personsOf', { name: subject.name }) : t('devicesOf', { name: words.person(subject.name) }))
  return (
    <Drawer
      open={subject !== undefined}
      onClose={close}
      size={WIDTH}
      title={title}
      destroyOnHidden
      // Page numbers stick to the lower edge; a table has the colour of the page.
      styles={{ body: { paddingBottom: 0, background: 'var(--surface)' } }}
      afterOpenChange={(open) => open && inside.current?.focus({ preventScroll: true })}
    >
      <div ref={inside} tabIndex={-1} className={styles.inside}>
        {subject && <Pairs {...subject} />}
      </div>
    </Drawer>
  )
}

/** Return whether no pair has failed. Failures come first: if the first page of all has none, there are none; nor among missing photos. */
const nothingFailed = ({ rows, query: { status, name, page } }: ReturnType<typeof usePairs>): boolean =>
  status === personSyncStatus.photoMissing ||
  (status === undefined && name === undefined && page === PAGE_START && !rows.some((pair) => TO_SEND_AGAIN.includes(pair.status)))

function Pairs({ of, status }: PairsSubject) {
  const { t } = useTranslation('synchronisation')
  const each = of.deviceId !== undefined ? 'person' : 'device'
  const list = usePairs(of, status)
  const columns = usePairColumns(each)
  const words = useSyncWords()
  const { resend, pending } = useResend()
  useSyncWatch(list.rows.some((pair) => UNDER_WAY.includes(pair.status)))

  return (
    <>
      <PairFilters list={list} label={each === 'person' ? t('records:person') : t('records:door')}>
        <Button icon={<RedoOutlined />} loading={pending} disabled={nothingFailed(list)} onClick={() => resend(of)}>
          {t('resendAll')}
        </Button>
      </PairFilters>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: each === 'person' ? t('noPersons') : t('noDevices') }}
        actions={({ personId, personName, deviceId, deviceName, status: own }) =>
          TO_SEND_AGAIN.includes(own) && (
            <AgainButton
              target={{ personId, deviceId, ...(of.strategyId !== undefined && { strategyId: of.strategyId }) }}
              label={t('resendPair', { person: words.person(personName), device: deviceName })}
            />
          )
        }
      />
    </>
  )
}

/** Pause in typing before the list is read; milliseconds. */
const PAUSE = 300
const ALL = 'all'
/** States in their order: those that need attention first. */
const ORDER = ['failed', 'overtime', 'photoMissing', 'deleting', 'syncing', 'success'] as const

interface PairFiltersProps<Row> {
  list: List<Row, PairQuery>
  /** Label of the search by name. */
  label: string
  /** Shown at the end of the line. */
  children: ReactNode
}

/** Filters inside a drawer: a search by name, and the states. The page behind keeps its own search, and its shortcut key. */
function PairFilters<Row>({ list, label, children }: PairFiltersProps<Row>) {
  const { t } = useTranslation('synchronisation')
  const word = useEnumLabel()
  const [typed, setTyped] = useState('')
  const ask = useEffectEvent((): void => {
    const name = typed.trim() || undefined
    if (name !== list.query.name) list.setQuery({ name })
  })
  useEffect(() => {
    const timer = setTimeout(ask, PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className={styles.filters}>
      <Input
        aria-label={label}
        placeholder={label}
        allowClear
        prefix={<SearchOutlined />}
        value={typed}
        maxLength={64}
        onChange={(event) => setTyped(event.target.value)}
      />
      {children}
      <Segmented
        aria-label={t('status')}
        value={list.query.status ?? ALL}
        onChange={(status) => list.setQuery({ status: status === ALL ? undefined : Number(status) })}
        options={[
          { value: ALL, label: t('all') },
          ...ORDER.map((name) => ({ value: personSyncStatus[name], label: word(personSyncStatus, personSyncStatus[name]) })),
        ]}
      />
    </div>
  )
}

/** Persons of a device, or devices of a person: all, or those of a strategy. */
type PairsOf =
  | { deviceId: string; strategyId?: string; personId?: undefined }
  | { personId: string; strategyId?: string; deviceId?: undefined }
interface PairQuery {
  status?: number | undefined
  name?: string | undefined
  page?: number | undefined
}

/**
 * Return the pairs of persons and devices as a list inside a drawer.
 * @param status filter that is set first
 */
function usePairs(of: PairsOf, status?: number): List<SyncPair, PairQuery> {
  const state = useLocalQuery<PairQuery>({ status }, PAGE_SIZE_DEFAULT)
  const ofDevice = of.deviceId !== undefined
  const calls = use(SyncContext)
  const persons = useRead(
    calls.personsOfDevice,
    { query: { ...state.query, deviceId: of.deviceId ?? '', strategyId: of.strategyId } },
    { enabled: ofDevice },
  )
  const devices = useRead(
    calls.devicesOfPerson,
    { query: { ...state.query, personId: of.personId ?? '', strategyId: ofDevice ? undefined : of.strategyId } },
    { enabled: !ofDevice },
  )
  return useListOf<SyncPair, PairQuery>(
    'syncPairs',
    state,
    ofDevice ? persons : devices,
    [],
    ofDevice ? calls.personsOfDevice : calls.devicesOfPerson,
  )
}
