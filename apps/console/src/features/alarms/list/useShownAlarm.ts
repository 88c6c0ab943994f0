/**
 * The alarm that the dialog of a list shows: opened in the list, or named by the link that led here. It is read by itself, so that it
 * follows changes also when it is on no page of the list, or not any more.
 */
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { PAGE_SIZE_MAX, type Schema } from '@gatehouse/contract'
import type { AnyCall, PartsOf } from '../../../api/http.ts'
import { useRead } from '../../../api/query.ts'
import { listPartsOf } from '../../../kit/list/listRequest.ts'

export interface ShownAlarm<Row> {
  row: Row | undefined
  /** Why a link leads to no alarm. */
  error: unknown
  open: (row: Row) => void
  /** Called once the user has closed it, or the error. */
  close: () => void
}

/** Parameters of the address that are taken out of it once they were followed. */
const PARAMETERS = ['id', 'time', 'timestamp', 'timeStamp'] as const

/** What the list or a link says of an alarm. */
interface Named<Row> {
  id?: string | undefined
  /** When it happened, in epoch milliseconds. */
  time?: number | undefined
  /** As it was when it was opened. */
  row?: Row | undefined
}

/** @param call reads one alarm by its id */
export function useShownAlarm<Row extends { id: string }>(call: AnyCall & { data: Schema<Row> }): ShownAlarm<Row> {
  const { named, ...shown } = useNamed<Row>(({ id }) => ({ id }))
  const id = named?.id
  const read = useRead<AnyCall>(call, { query: { id: id ?? '' } } as PartsOf<AnyCall>, { enabled: id !== undefined })
  const row = id === undefined ? undefined : ((read.data as Row | undefined) ?? named?.row)
  return { ...shown, row, error: id !== undefined && row === undefined && read.isError ? read.error : undefined }
}

/**
 * Do the same where alarms are read by no id: links name the moment, and the id among the alarms of that moment; without an id, as in the
 * addresses of the specification, the first is shown.
 * @param call a list that takes a period, read whatever tab is open
 */
export function useShownOfList<Row extends { id: string }>(
  call: AnyCall & { data: Schema<{ content: Row[] }> },
  timeOf: (row: Row) => number,
): ShownAlarm<Row> {
  const { t } = useTranslation('alarms')
  const { named, ...shown } = useNamed<Row>((row) => ({ id: row.id, time: timeOf(row) }))
  const { id, time = 0 } = named ?? {}
  const isNamed = time !== 0
  const read = useRead<AnyCall>(call, listPartsOf(call, { startTime: time, endTime: time, size: PAGE_SIZE_MAX }) as PartsOf<AnyCall>, {
    enabled: isNamed,
  })
  if (!isNamed) return { ...shown, row: undefined, error: undefined }
  // A call of a list answers with a page of its rows.
  const { content } = (read.data ?? {}) as { content?: Row[] }
  const row = content?.find((one) => id === undefined || one.id === id) ?? named?.row
  const missing = content === undefined ? undefined : t('notThere')
  return { ...shown, row, error: row === undefined ? (read.isError ? read.error : missing) : undefined }
}

/**
 * Return what is named by the list, or by the link that led here, whose parameters are taken out of the address: a page that the user
 * returns to opens nothing.
 */
function useNamed<Row>(nameOf: (row: Row) => Named<Row>) {
  const [search, setSearch] = useSearchParams()
  const [named, setNamed] = useState<Named<Row>>()
  // Leaving the page closes the alarm.
  useEffect(() => () => setNamed(undefined), [])

  const [id, time] = [search.get('id'), search.get('time')]
  const follow = useEffectEvent((): void => {
    const moment = Number(time)
    setNamed({ id: id ?? undefined, time: Number.isSafeInteger(moment) && moment > 0 ? moment : undefined })
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const parameter of PARAMETERS) next.delete(parameter)
        return next
      },
      { replace: true },
    )
  })
  useEffect(() => {
    if (id !== null || time !== null) follow()
  }, [id, time])
  return { named, open: (row: Row): void => setNamed({ ...nameOf(row), row }), close: (): void => setNamed(undefined) }
}
