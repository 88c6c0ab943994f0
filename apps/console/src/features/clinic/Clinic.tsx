/** "Not this person": the photograph that led to a match, the score without it, the next candidates, and what can be corrected. */
import { LoadingOutlined } from '@ant-design/icons'
import { Alert, Button, Skeleton } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { clinicCalls, type MatchAnalysis } from '@gatehouse/contract/clinic/calls'
import { useRead } from '../../api/query.ts'
import { sentenceOf } from '../../api/refusal.ts'
import { useMay, useMayCall } from '../../api/session.ts'
import { isHit } from '../../shared/watchList.ts'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { CandidateList, CorrectionForm, CorrectionNotice } from './Correction.tsx'
import styles from './clinic.module.css'

/**
 * Return whether a record has a face match to correct. A passage by card has none, and a person found on the watch list is no
 * stranger to be registered.
 */
export const hasMatch = (record: AccessRecord): boolean => (record.personId === null ? !isHit(record) : record.score !== null)

/** The analysis of a record, made on request only: each one costs the server's engine a comparison. */
export function Clinic({ record }: { record: AccessRecord }) {
  const { t } = useTranslation('clinic')
  // An existing correction is shown at once.
  const [wasCorrected] = useState(record.corrected)
  const [isOpen, setOpen] = useState(wasCorrected)
  const inside = useRef<HTMLDivElement>(null)
  // The button that was pressed disappears: without this the focus would be lost.
  const keepFocus = (): void => inside.current?.focus({ preventScroll: true })
  const ask = (): void => {
    keepFocus()
    setOpen(true)
  }
  const bringUp = (): void => inside.current?.scrollIntoView({ block: 'start' })
  const stranger = record.personId === null
  const [maySee, maySearch] = [useMay('person.list'), useMay('basic.person.search')]
  if (stranger && !maySee && !maySearch) return <p className={styles.note}>{t('mayNotSearch')}</p>
  if (stranger && !record.captureImage && !record.captureThumbnail) return <p className={styles.note}>{t('unavailable.noPicture')}</p>
  return (
    <div ref={inside} tabIndex={-1} className={styles.clinic}>
      {isOpen ? (
        <LoadedAnalysis record={record} wasCorrected={wasCorrected} keepFocus={keepFocus} bringUp={bringUp} />
      ) : (
        <div>
          <Button onClick={ask}>{stranger ? t('askStranger') : t('ask', { name: record.personName || t('records:unnamed') })}</Button>
        </div>
      )}
    </div>
  )
}

interface LoadedAnalysisProps {
  record: AccessRecord
  /** Whether it opened with an existing correction. */
  wasCorrected: boolean
  keepFocus: () => void
  /** Scroll to the top of the panel. */
  bringUp: () => void
}

function LoadedAnalysis({ record, wasCorrected, keepFocus, bringUp }: LoadedAnalysisProps) {
  const { t } = useTranslation('clinic')
  const analysis = useRead(clinicCalls.analyse, { params: { id: record.id } })
  if (analysis.data !== undefined)
    return (
      <Analysis
        analysis={analysis.data}
        reading={analysis.isFetching}
        record={record}
        wasCorrected={wasCorrected}
        keepFocus={keepFocus}
        bringUp={bringUp}
      />
    )
  if (analysis.isError)
    return (
      <Alert
        type="error"
        showIcon
        title={t('notCompared')}
        description={sentenceOf(analysis.error)}
        action={
          <Button loading={analysis.isFetching} onClick={() => void analysis.refetch()}>
            {t('common:tryAgain')}
          </Button>
        }
      />
    )
  return (
    <div role="status">
      <p>
        <LoadingOutlined /> {t('comparing')}
      </p>
      <Skeleton active title={false} paragraph={{ rows: 5 }} />
    </div>
  )
}

interface AnalysisProps extends LoadedAnalysisProps {
  analysis: MatchAnalysis
  /** Whether a newer analysis is being read. */
  reading: boolean
}

function Analysis({ analysis, reading, record, wasCorrected, keepFocus, bringUp }: AnalysisProps) {
  const { t } = useTranslation('clinic')
  const mayCorrect = useMayCall(clinicCalls.correct)
  const { contact, correction, next, personId, photos, unavailable } = analysis
  const stranger = personId === null
  const isGone = unavailable?.reason === 'noPerson'
  const asks = !stranger && !isGone && correction === null && mayCorrect
  const correctionId = correction?.id ?? null
  const first = useRef(correctionId)
  // The answer is longer than the text it replaces, and a new correction is at the top, so the panel is scrolled there. A panel that opened
  // with a correction is not scrolled until the correction changes.
  const answered = useEffectEvent(() => {
    // The button for another attempt has disappeared.
    if (document.activeElement === document.body) keepFocus()
    if (!wasCorrected || correctionId !== first.current) bringUp()
  })
  useEffect(() => answered(), [correctionId])
  return (
    <>
      {correction && <CorrectionNotice correction={correction} mayUndo={mayCorrect} reading={reading} onUndone={keepFocus} />}
      {unavailable && !(stranger && isGone) && (
        <Alert
          type="info"
          showIcon
          title={t(`unavailable.${unavailable.reason}`, { name: analysis.personName })}
          description={unavailable.code === null ? undefined : t(`errors:business.${unavailable.code}`)}
        />
      )}
      {contact && <p className={styles.note}>{t('byContact', { name: contact.name, person: analysis.personName })}</p>}
      {(photos.length > 0 || contact) && (
        <section>
          <h3>{t(unavailable ? 'photosOf' : 'photos', { name: analysis.personName })}</h3>
          <Compared analysis={analysis} captured={record.captureImage || record.captureThumbnail} />
          {!unavailable && !contact && <Verdict analysis={analysis} />}
        </section>
      )}
      {asks ? (
        <CorrectionForm analysis={analysis} reading={reading} onSent={keepFocus} />
      ) : (
        next !== null &&
        (next.length > 0 || stranger) &&
        unavailable?.reason !== 'refused' && (
          <section>
            <h3>{t(stranger ? 'looksLike' : 'next')}</h3>
            {next.length > 0 ? <CandidateList candidates={next} /> : <p>{t('nobodyElse')}</p>}
          </section>
        )
      )}
      {!stranger && !isGone && !mayCorrect && correction === null && <p className={styles.note}>{t('mayNotCorrect')}</p>}
    </>
  )
}

/** The sentence on the most similar photograph: whether the door opens with it, and without it. */
function Verdict({ analysis: { personName: name, recordScore, score, scoreWithout, threshold } }: { analysis: MatchAnalysis }) {
  const { t } = useTranslation('clinic')
  if (score === null) return null
  const words = (): string => {
    const needed = scoreInWords(threshold)
    if (score < threshold) return t('nowShut', { name, score: scoreInWords(score), threshold: needed })
    if (scoreWithout === null) return t('onlyPhoto', { name })
    return t(scoreWithout >= threshold ? 'withoutOpens' : 'withoutShut', {
      name,
      score: scoreInWords(scoreWithout),
      threshold: needed,
    })
  }
  return (
    <>
      <p>
        <b>{words()}</b>
      </p>
      {recordScore !== null && scoreInWords(recordScore) !== scoreInWords(score) && (
        <p className={styles.note}>{t('anew', { score: scoreInWords(recordScore) })}</p>
      )}
    </>
  )
}

const SIDE = 112

/**
 * The face at the door and each photograph of the person, the same size, each with its score.
 * @param captured address of the picture taken at the door; empty where there is none
 */
function Compared({ analysis, captured }: { analysis: MatchAnalysis; captured: string }) {
  const { t } = useTranslation('clinic')
  const { contact, personName, photos, score, threshold, unavailable } = analysis
  // With a higher threshold, or without the photograph that led to the match, the person is only the most similar one, not a match.
  const isMatch = score !== null && score >= threshold
  return (
    <ul className={styles.photos}>
      {captured && (
        <li data-door>
          <Portrait name="" url={captured} size={SIDE} />
          <small>{t('common:pair.captured')}</small>
        </li>
      )}
      {contact && (
        <li>
          <Portrait name={contact.name} url={contact.url || contact.thumbnail} size={SIDE} />
          <small>{t('contact', { name: contact.name })}</small>
          {!unavailable && <b title={t('common:pair.score')}>{scoreInWords(contact.score)}</b>}
        </li>
      )}
      {photos.map((photo, at) => (
        <li
          key={photo.faceId}
          data-carried={photo.carried ? (isMatch ? 'match' : 'nearest') : undefined}
          data-aside={photo.setAsideAt !== null || undefined}
        >
          <Portrait name={personName} url={photo.url || photo.thumbnail} size={SIDE} />
          <small>{t('photo', { nth: at + 1 })}</small>
          {!unavailable && <b title={t('common:pair.score')}>{scoreInWords(photo.score)}</b>}
          {photo.carried && <strong>{t(isMatch ? 'carried' : 'nearest')}</strong>}
          {photo.setAsideAt !== null && <small>{t('isAside')}</small>}
        </li>
      ))}
    </ul>
  )
}
