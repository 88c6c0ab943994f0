/** The pictures of the alarms of a replay, the least alike first: those are the doubtful ones. */
import { Pagination } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { captureCalls, type CaptureRecord } from '@gatehouse/contract/surveillance/captures'
import type { ReplayedAlarm } from '@gatehouse/contract/surveillance/replay-rules'
import { useRead } from '../../../api/query.ts'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { useSettled } from '../../../kit/useSettled.ts'
import { alarmScore } from '../../../shared/AlarmFaces.tsx'
import type { ReplayResult } from './useReplay.ts'
import styles from './replay.module.css'

const CaptureDrawer = lazy(() => import('../CaptureDrawer.tsx'))

/** Pictures of a page, and their pixels. */
const PAGE = 12
const SIZE = 72

interface ReplayPicturesProps {
  alarms: readonly ReplayedAlarm[]
  result: ReplayResult
  nameOf: (personId: string) => string
}

export function ReplayPictures({ alarms, result, nameOf }: ReplayPicturesProps) {
  const { t } = useTranslation('surveillance')
  const { offset } = useZoneOffset()
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<string>()
  const [used, setUsed] = useState(false)
  const doubtful = alarms.filter(({ score }) => score !== null).toSorted((one, other) => one.score! - other.score!)
  const current = Math.min(page, Math.max(1, Math.ceil(doubtful.length / PAGE)))
  const shown = doubtful.slice((current - 1) * PAGE, current * PAGE)
  const records = useRecords(
    shown.map(({ capture }) => capture.id),
    result,
  )
  const rows = shown.flatMap(({ capture }) => records.get(capture.id) ?? [])
  return (
    <>
      <h3>{t('replay.pictures')}</h3>
      <ul className={styles.pictures}>
        {shown.map(({ capture, personId, score, wasFalse }) => {
          const record = records.get(capture.id)
          return (
            <li key={capture.id}>
              <button
                type="button"
                disabled={record === undefined}
                title={formatInstant(capture.time, offset)}
                onClick={() => {
                  setUsed(true)
                  setOpen(record!.id)
                }}
              >
                <Portrait name="" url={record?.captureThumbnail} size={SIZE} />
                <b>{alarmScore(score)}</b>
                <span>{nameOf(personId!)}</span>
                {wasFalse && <small>{t('replay.markedFalse')}</small>}
              </button>
            </li>
          )
        })}
      </ul>
      <Pagination
        size="small"
        current={current}
        pageSize={PAGE}
        total={doubtful.length}
        onChange={setPage}
        hideOnSinglePage
        showSizeChanger={false}
      />
      <Suspense fallback={null}>
        {used && <CaptureDrawer capture={rows.find(({ id }) => id === open)} rows={rows} show={setOpen} />}
      </Suspense>
    </>
  )
}

/** Return the rows of these captures, by capture, once the settings have not changed for a moment. */
function useRecords(captureIds: readonly string[], { startTime, endTime }: ReplayResult): ReadonlyMap<string, CaptureRecord> {
  const settled = useSettled(captureIds.join())
  const ids = settled === undefined || settled === '' ? [] : settled.split(',')
  const found = useRead(captureCalls.find, { body: { captureIds: ids, startTime, endTime, size: PAGE } }, { enabled: ids.length > 0 })
  return new Map((found.data?.content ?? []).map((record) => [record.captureId, record]))
}
