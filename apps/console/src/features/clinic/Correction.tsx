/** Corrections of a match: the form, an existing correction, and the candidates for the face. */
import { Alert, Button, Checkbox, Input, Radio } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { scoreInWords } from '@gatehouse/contract'
import { clinicCalls, type Correction, type MatchAnalysis } from '@gatehouse/contract/clinic/calls'
import { PersonField } from '../../shared/PersonField.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { StrictnessField } from '../../shared/StrictnessField.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { usePersonName } from '../../shared/personName.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { useMay } from '../../api/session.ts'
import { path } from '../../paths.ts'
import styles from './clinic.module.css'

/** Choices besides the ids of the candidates. */
const ELSE = 'else'
const NOBODY = 'nobody'

interface CorrectionFormProps {
  analysis: MatchAnalysis
  /** Whether the correction that was sent is being read again. */
  reading: boolean
  onSent: () => void
}

/** The form that corrects a match: who it was, and what prevents the mistake from now on. */
export function CorrectionForm({ analysis, reading, onSent }: CorrectionFormProps) {
  const { t } = useTranslation('clinic')
  const noteId = useId()
  const { next, personId, personName, photos, recordId, threshold } = analysis
  const [choice, setChoice] = useState<string>()
  const [found, setFound] = useState<string>()
  const [aside, setAside] = useState<string[]>([])
  const [newThreshold, setNewThreshold] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const correct = useWrite(clinicCalls.correct, { done: t('done'), onDone: onSent })
  const actual = choice === ELSE ? found : choice
  const send = (): void =>
    correct.run({
      params: { id: recordId },
      body: { actualPersonId: actual === NOBODY ? null : (actual ?? null), setAside: aside, threshold: newThreshold, note },
    })

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (actual !== undefined) send()
      }}
    >
      <fieldset>
        <legend>{t('who')}</legend>
        <Radio.Group className={styles.who} value={choice} onChange={({ target }) => setChoice(target.value as string)}>
          {next?.map((person) => (
            <Radio key={person.personId} value={person.personId}>
              <Candidate person={person} />
            </Radio>
          ))}
          <Radio value={ELSE}>{t('somebodyElse')}</Radio>
          {choice === ELSE && (
            <div className={styles.found}>
              <PersonField label={t('somebodyElse')} except={personId ?? ''} value={found} onChange={setFound} />
            </div>
          )}
          <Radio value={NOBODY}>{t('nobody')}</Radio>
        </Radio.Group>
        <p className={styles.note} aria-live="polite">
          {actual !== undefined && (actual === NOBODY ? t('nobodyHint') : t('pairHint', { name: personName }))}
        </p>
      </fieldset>
      <fieldset>
        <legend>{t('remedy')}</legend>
        <PhotosAside photos={photos} name={personName} value={aside} onChange={setAside} />
        <h4>{t('strictness', { name: personName })}</h4>
        <StrictnessField
          label={t('strictness', { name: personName })}
          value={newThreshold}
          usual={threshold}
          usualWords={t('asBefore')}
          stricterOnly
          onChange={setNewThreshold}
        />
        <h4>
          <label htmlFor={noteId}>{t('note')}</label>
        </h4>
        <Input id={noteId} value={note} maxLength={200} autoComplete="off" onChange={({ target }) => setNote(target.value)} />
      </fieldset>
      <div className={styles.send}>
        <Button type="primary" htmlType="submit" disabled={actual === undefined} loading={correct.pending || reading}>
          {t('confirm', { name: personName })}
        </Button>
        {actual === undefined && <small>{t('whoFirst')}</small>}
      </div>
    </form>
  )
}

interface PhotosAsideProps {
  photos: MatchAnalysis['photos']
  name: string
  /** Ids of the faces to set aside. */
  value: string[]
  onChange: (faceIds: string[]) => void
}

function PhotosAside({ photos, name, value, onChange }: PhotosAsideProps) {
  const { t } = useTranslation('clinic')
  const used = photos.filter(({ setAsideAt }) => setAsideAt === null)
  if (used.length === 1) return <p className={styles.note}>{t('lastPhoto', { name })}</p>
  return (
    <>
      <h4>{t('setAside')}</h4>
      <p className={styles.note}>{t('setAsideHint', { name })}</p>
      <div className={styles.choices}>
        {used.map((photo) => {
          const chosen = value.includes(photo.faceId)
          return (
            <Checkbox
              key={photo.faceId}
              checked={chosen}
              // One photograph must stay: without any, the person could not be recognised.
              disabled={!chosen && value.length === used.length - 1}
              onChange={({ target }) =>
                onChange(target.checked ? [...value, photo.faceId] : value.filter((other) => other !== photo.faceId))
              }
            >
              <span className={styles.choice}>
                <Portrait name={name} url={photo.thumbnail} size={40} />
                <span>
                  {t('photo', { nth: photos.indexOf(photo) + 1 })}
                  {photo.score !== null && <small>{scoreInWords(photo.score)}</small>}
                </span>
              </span>
            </Checkbox>
          )
        })}
      </div>
    </>
  )
}

interface CorrectionNoticeProps {
  correction: Correction
  mayUndo: boolean
  /** Whether the undone correction is being read again. */
  reading: boolean
  onUndone: () => void
}

/** The correction of a record, and the button that undoes it. */
export function CorrectionNotice({ correction, mayUndo, reading, onUndone }: CorrectionNoticeProps) {
  const { t } = useTranslation('clinic')
  const undo = useWrite(clinicCalls.undo, { done: t('undone'), onDone: onUndone })
  const { actualPersonId, createdAt, createdBy, note, recordId, setAside, threshold } = correction
  const nameOf = usePersonName()
  const personName = nameOf(correction.personId, correction.personName)
  const actualName = nameOf(actualPersonId, correction.actualPersonName) || t('records:sinceDeleted')
  const effects = [
    actualPersonId !== null && t('effect.pair', { name: personName, other: actualName }),
    setAside.length > 0 && t('effect.setAside', { count: setAside.length }),
    threshold !== null && t('effect.threshold', { name: personName, score: scoreInWords(threshold) }),
  ].filter((effect) => effect !== false)
  return (
    <Alert
      className={styles.said}
      type="warning"
      showIcon
      title={actualPersonId === null ? t('saidNot', { name: personName }) : t('saidOther', { name: personName, other: actualName })}
      description={
        <>
          {effects.length > 0 && (
            <ul>
              {effects.map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          )}
          {note && <blockquote>{note}</blockquote>}
          <small>
            {shownName(createdBy)} · <RelativeTime at={createdAt} />
          </small>
        </>
      }
      action={
        mayUndo && (
          <Button loading={undo.pending || reading} onClick={() => undo.run({ params: { id: recordId } })}>
            {t('undo')}
          </Button>
        )
      }
    />
  )
}

type Person = NonNullable<MatchAnalysis['next']>[number]

/**
 * A registered person who looks like the face.
 * @param linked whether the name is a link to the person
 */
function Candidate({ person, linked = false }: { person: Person; linked?: boolean }) {
  const { t } = useTranslation('clinic')
  const { lookAlike, personId, personName, score, thumbnail, workNumber } = person
  const details = [workNumber, lookAlike && t('lookAlike')].filter(Boolean).join(' · ')
  return (
    <span className={styles.candidate}>
      <Portrait name={personName} url={thumbnail} size={56} />
      <span>
        <b>{linked ? <Link to={path('staffDetails', { id: personId })}>{personName}</Link> : personName}</b>
        <small>{details}</small>
      </span>
      <b title={t('common:pair.score')}>{scoreInWords(score)}</b>
    </span>
  )
}

export function CandidateList({ candidates }: { candidates: readonly Person[] }) {
  const mayOpen = useMay('person.list')
  return (
    <ul className={styles.next}>
      {candidates.map((person) => (
        <li key={person.personId}>
          <Candidate person={person} linked={mayOpen} />
        </li>
      ))}
    </ul>
  )
}
