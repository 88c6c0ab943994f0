/** The latest passages at a door: the records, and a row for each. */
import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import { recordCalls, type AccessRecord } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { accessResult } from '@gatehouse/contract/enums/access'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { topics } from '@gatehouse/contract/realtime'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { usePersonName } from '../../shared/personName.ts'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { useRefusalLine } from '../../shared/refusalReason.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useContactWords } from '../../shared/contactWords.ts'
import { isHit, useMatch, withEarlierHit } from '../../shared/watchList.ts'
import { WatchListTag } from '../../shared/WatchListTag.tsx'
import type { AnswerOf } from '../../api/http.ts'
import { useLive } from '../../api/live.ts'
import { changeCached, readOptions } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import styles from './passages.module.css'

interface PassageRowProps {
  record: AccessRecord
  /** Pixels of each side of a face. */
  face: number
  /** For the page of one device: both faces and the score, without the door. */
  pair?: boolean
}

/** One passage in a line: the face, the person, the door, and the result with the reason of a refusal. */
export function PassageRow({ record, face, pair }: PassageRowProps) {
  const { t } = useTranslation('devices')
  const label = useEnumLabel()
  const reason = useRefusalLine()(record)
  const { by } = useContactWords()(record)
  const match = useMatch()(record)
  const name = usePersonName()(record.personId, record.personName) || match.name || t('stranger')
  const letterOf = isPseudonym(record.personId) ? '' : name
  const direction = label(passDirection, record.direction)
  const where = [by, ...(pair ? [] : [record.deviceName]), direction].filter(Boolean).join(' · ')
  return (
    <li className={styles.passage} data-hit={isHit(record) || undefined}>
      <span className={styles.faces}>
        <Portrait name={letterOf} url={record.captureThumbnail || (pair ? '' : match.registeredImage)} size={face} />
        {pair && <Portrait name={letterOf} url={match.registeredImage} size={face} />}
      </span>
      <div className={styles.words}>
        <b title={name}>{name}</b>
        {reason ? (
          <span data-reason title={`${reason} · ${where}`}>
            {reason}
          </span>
        ) : (
          <span title={where}>{where}</span>
        )}
      </div>
      <div className={styles.verdict}>
        {isHit(record) ? <WatchListTag /> : <EnumTag of={accessResult} value={record.result} />}
        <small>
          {pair && match.score !== null && `${scoreInWords(match.score)} · `}
          <RelativeTime at={record.time} />
        </small>
      </div>
    </li>
  )
}

/** Return existing and new records, newest first. A record that arrives again, now with its picture, replaces the former one. */
export function withNewer(existing: readonly AccessRecord[], arrived: readonly AccessRecord[], size: number): AccessRecord[] {
  const before = new Map(existing.map((record) => [record.id, record]))
  const newer = arrived.map((record) => withEarlierHit(record, before.get(record.id)))
  const ids = new Set(newer.map(({ id }) => id))
  return [...newer, ...existing.filter(({ id }) => !ids.has(id))].sort((one, other) => other.time - one.time).slice(0, size)
}

/**
 * Read the newest access records and keep them live: records of a frame appear at the top at once.
 * @param deviceId only of this device; undefined for the whole park
 */
export function useLatestRecords({ deviceId, size }: { deviceId?: string | undefined; size: number }): UseQueryResult<AccessRecord[]> {
  const cache = useQueryClient()
  const options = readOptions(recordCalls.find, { body: { size, deviceId } })
  const queryFilter = { queryKey: options.queryKey, exact: true }
  function take({ rows }: { rows: AccessRecord[] }): void {
    const ours = rows.filter((row) => deviceId === undefined || row.deviceId === deviceId)
    if (ours.length > 0)
      changeCached<AnswerOf<typeof recordCalls.find>>(cache, queryFilter, (page) => ({
        ...page,
        content: withNewer(page.content, ours, size),
      }))
  }
  useLive(topics.accessRecord, take, [queryFilter])
  useLive(topics.watchListHits, take, [])
  return useQuery({ ...options, enabled: useMay('access.record'), placeholderData: keepPreviousData, select: ({ content }) => content })
}
