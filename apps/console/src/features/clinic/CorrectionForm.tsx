/** Says that it was not this person, who it was, and what should be done so that it does not happen again. */
import { Button, Checkbox, Input, Radio } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import { clinicCalls, type MatchAnalysis } from '@gatehouse/contract/clinic/calls'
import { PersonField } from '../../shared/PersonField.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { StrictnessField } from '../../shared/StrictnessField.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { Candidate } from './Candidates.tsx'
import styles from './clinic.module.css'

/** Choices beside the ids of those who come next. */
const ELSE = 'else'
const NOBODY = 'nobody'

interface CorrectionFormProps {
  analysis: MatchAnalysis
  /** What was sent has been taken and is being read again. */
  reading: boolean
  onSent: () => void
}

export function CorrectionForm({ analysis, reading, onSent }: CorrectionFormProps) {
  const { t } = useTranslation('clinic')
  const noteId = useId()
  const { next, personId, personName, photos, recordId, threshold } = analysis
  const [choice, setChoice] = useState<string>()
  const [found, setFound] = useState<string>()
  const [aside, setAside] = useState<string[]>([])
  const [asked, setAsked] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const correct = useWrite(clinicCalls.correct, { done: t('done'), onDone: onSent })
  const actual = choice === ELSE ? found : choice
  const send = (): void =>
    correct.run({
      params: { id: recordId },
      body: { actualPersonId: actual === NOBODY ? null : (actual ?? null), setAside: aside, threshold: asked, note },
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
          value={asked}
          usual={threshold}
          usualWords={t('asBefore')}
          stricterOnly
          onChange={setAsked}
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
  /** FaceIds to be set aside. */
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
              // One photograph must stay, or nobody would be recognised by any.
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
