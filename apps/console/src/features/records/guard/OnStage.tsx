/** The passage on the stage: the verdict across the width, two faces to compare, who, where, why, and the door. */
import { PauseOutlined, CheckOutlined, CloseOutlined, WarningFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { accessResult } from '@gatehouse/contract/enums/access'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { isHit } from '../../../shared/watchList.ts'
import { WatchListFacts } from '../../../shared/WatchListTag.tsx'
import { Direction } from '../Direction.tsx'
import { FacePair } from '../FacePair.tsx'
import { useRecordWords } from '../recordWords.ts'
import { DoorKey, DoorOutcome, type Outcome } from './DoorKey.tsx'
import { weightOf } from './stage.ts'
import styles from './stage.module.css'

/** Milliseconds after which a passage on the stage is no longer news. */
const QUIET_AFTER = 60_000

interface OnStageProps {
  record: AccessRecord | undefined
  /** When it took the stage; epoch milliseconds. */
  since: number
  pending: boolean
  /** Whether only some doors are watched. */
  filtered: boolean
  /** While an earlier passage is viewed: how many arrived since, and the way back. */
  paused: { missed: number; back: () => void } | undefined
  /** Absent for users who may not open it. */
  door: { outcome: Outcome | undefined; hold: () => void; release: () => void; settle: (outcome: Outcome) => void } | undefined
}

export function OnStage({ record, since, pending, filtered, paused, door }: OnStageProps) {
  const { t } = useTranslation('records')
  const isOver = useAfter(since + QUIET_AFTER)
  if (record === undefined)
    return (
      <section className={styles.stage} data-quiet aria-label={t('guard.stage')} aria-live="polite">
        <p className={styles.nothing}>{!pending && t(filtered ? 'nothingFits' : 'nothingYet')}</p>
      </section>
    )
  const hit = isHit(record)
  return (
    <section
      className={styles.stage}
      data-result={record.result}
      data-hit={hit || undefined}
      data-quiet={(isOver && !paused && !hit) || undefined}
      data-paused={paused !== undefined || undefined}
      aria-label={t('guard.stage')}
      aria-live={hit ? 'assertive' : 'polite'}
    >
      {/* A new passage mounts a new band, whose animation highlights it. */}
      <Band key={record.id} record={record} />
      {/* The space is reserved, so that nothing moves when a message appears here. */}
      <div className={styles.lane}>
        {door && <DoorOutcome outcome={door.outcome} />}
        {paused && (
          <div className={styles.paused} role="status">
            <PauseOutlined /> <b>{paused.missed === 0 ? t('guard.paused') : t('guard.pausedNew', { count: paused.missed })}</b>
            <Button onClick={paused.back}>
              {t('guard.back')} <kbd aria-hidden="true">End</kbd>
            </Button>
          </div>
        )}
      </div>
      <div className={styles.body}>
        <div className={styles.faces}>
          <FacePair record={record} large worded />
        </div>
        <div className={styles.words}>
          <Words record={record} />
          {door && (
            <Suspense fallback={null}>
              <DoorKey key={record.deviceId} deviceId={record.deviceId} {...door} />
            </Suspense>
          )}
        </div>
      </div>
    </section>
  )
}

function Band({ record }: { record: AccessRecord }) {
  const { t } = useTranslation('records')
  const { offset } = useZoneOffset()
  const { verdict } = useRecordWords()(record)
  const hit = isHit(record)
  return (
    <div className={styles.band}>
      <p className={styles.verdict}>
        <VerdictIcon record={record} />
        <strong>{hit ? t('common:watchList.tag') : verdict}</strong>
        {hit && <b>{verdict}</b>}
      </p>
      <p className={styles.where}>
        <b title={record.deviceName}>{record.deviceName}</b>
        {/* The time since then must not be announced every second. */}
        <span aria-live="off">
          <Direction value={record.direction} /> <span className={styles.at}>{formatInstant(record.time, offset).slice(11)}</span>{' '}
          <RelativeTime at={record.time} />
        </span>
      </p>
    </div>
  )
}

function Words({ record }: { record: AccessRecord }) {
  const { t } = useTranslation('records')
  const { who, by, reason } = useRecordWords()(record)
  const { watchList: hit, workNumber, personName, personParkName } = record
  const besides = [by, workNumber, personParkName].filter(Boolean)
  return (
    <>
      <h2 title={hit?.personName ?? who}>{hit?.personName ?? who}</h2>
      {hit && record.result === accessResult.allowed && <p className={styles.reason}>{t('alarms:admitted', { name: personName })}</p>}
      {besides.length > 0 && <p className={styles.besides}>{besides.join(' · ')}</p>}
      {reason && <p className={styles.reason}>{reason}</p>}
      {hit && (
        <div className={styles.facts}>
          <WatchListFacts hit={hit} />
        </div>
      )}
    </>
  )
}

const ICONS = { admitted: CheckOutlined, refused: CloseOutlined, hit: WarningFilled }

/** The icon of a verdict, so that it is recognised by more than its colour. */
export function VerdictIcon({ record }: { record: AccessRecord }) {
  const Icon = ICONS[weightOf(record)]
  return <Icon />
}

/**
 * Return whether a moment has passed; renders again once it has.
 * @param moment epoch milliseconds
 */
function useAfter(moment: number): boolean {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(moment), Math.max(0, moment - Date.now()))
    return () => clearTimeout(timer)
  }, [moment])
  return passed === moment
}
