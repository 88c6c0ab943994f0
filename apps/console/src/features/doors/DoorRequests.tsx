/** The list of remote operations of doors with their outcome: at one device, or at all. */
import Input from 'antd/es/input/Input'
import { Select } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { doorCalls, type DoorRequest } from '@gatehouse/contract/doors/calls'
import { doorControlErrorType, doorOperation, openDoorStatus } from '@gatehouse/contract/enums/devices'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag, StatusTag, useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useLocalList } from '../../kit/list/useLocalList.ts'
import { shownName } from '../../kit/shownName.ts'
import { useDoorWords } from './doorWords.ts'
import styles from './doors.module.css'

/** Pause in typing before the list is read; milliseconds. */
const PAUSE = 300

/** @param deviceId device of the door; absent: all doors of the park */
export function DoorRequests({ deviceId }: { deviceId?: string | undefined }) {
  const { t } = useTranslation('doors')
  const optionsOf = useEnumOptions()
  const list = useLocalList(doorCalls.requests, {
    name: deviceId === undefined ? 'doorRequests' : 'doorRequestsOfDevice',
    ...(deviceId !== undefined && { fixed: { deviceId } }),
  })
  const columns = useColumns(deviceId !== undefined)
  const [typed, setTyped] = useState('')
  const ask = useEffectEvent((): void => {
    const operator = typed.trim() || undefined
    if (operator !== list.query.operator) list.setQuery({ operator })
  })
  useEffect(() => {
    const timer = setTimeout(ask, PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  const { operateType, status } = list.query
  return (
    <>
      <div className={styles.filters}>
        <Input
          aria-label={t('operator')}
          placeholder={t('operator')}
          allowClear
          maxLength={64}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Select
          aria-label={t('operation')}
          placeholder={t('operation')}
          allowClear
          style={{ width: 150 }}
          options={optionsOf(doorOperation)}
          value={operateType ?? null}
          onChange={(chosen) => list.setQuery({ operateType: chosen ?? undefined })}
        />
        <Select
          aria-label={t('outcome')}
          placeholder={t('outcome')}
          allowClear
          style={{ width: 150 }}
          options={optionsOf(openDoorStatus)}
          value={status ?? null}
          onChange={(chosen) => list.setQuery({ status: chosen ?? undefined })}
        />
      </div>
      <ListTable list={list} columns={columns} empty={{ title: t('noRequests') }} />
    </>
  )
}

function useColumns(ofOne: boolean): TableColumn<DoorRequest>[] {
  const { t } = useTranslation('doors')
  const label = useEnumLabel()
  const why = useDoorWords()
  const columns = columnsOf<DoorRequest>([
    { field: 'time', title: t('time'), width: 110, visibility: 'always', render: ({ time }) => <RelativeTime at={time} /> },
    { field: 'deviceName', title: t('door'), width: 150, visibility: 'always' },
    {
      field: 'operator',
      title: t('operator'),
      width: 140,
      visibility: 'always',
      render: ({ operator, account }) => (
        <span className={styles.two}>
          <span title={shownName(operator)}>{shownName(operator)}</span>
          <small title={account}>{account}</small>
        </span>
      ),
    },
    { field: 'operateType', title: t('operation'), width: 110, render: ({ operateType }) => label(doorOperation, operateType) },
    {
      field: 'status',
      title: t('outcome'),
      width: 210,
      visibility: 'always',
      render: ({ operateType, status, errorType }) => (
        <span className={styles.two}>
          <span>
            <Outcome operateType={operateType} status={status} errorType={errorType} />
          </span>
          {errorType !== null && <small title={why(errorType)}>{why(errorType)}</small>}
        </span>
      ),
    },
  ])
  return ofOne ? columns.filter(({ key }) => key !== 'deviceName') : columns
}

/** The outcome of a request, in words of its operation. */
function Outcome({ operateType, status, errorType }: Pick<DoorRequest, 'operateType' | 'status' | 'errorType'>) {
  const { t } = useTranslation('doors')
  if (status === openDoorStatus.success) return <StatusTag status="ok">{t(`done.${operateType}`)}</StatusTag>
  // Without an answer it is unknown whether the door moved.
  if (status === openDoorStatus.failed && errorType === doorControlErrorType.timeout)
    return <StatusTag status="wait">{t('noAnswer')}</StatusTag>
  return <EnumTag of={openDoorStatus} value={status} />
}
