/** What somebody said about a record, and the way back. */
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import { clinicCalls, type Correction } from '@gatehouse/contract/clinic/calls'
import { usePersonName } from '../../shared/personName.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { shownName } from '../../kit/shownName.ts'
import styles from './clinic.module.css'

interface SaidProps {
  correction: Correction
  mayUndo: boolean
  /** What was taken back is being read again. */
  reading: boolean
  onUndone: () => void
}

export function Said({ correction, mayUndo, reading, onUndone }: SaidProps) {
  const { t } = useTranslation('clinic')
  const undo = useWrite(clinicCalls.undo, { done: t('undone'), onDone: onUndone })
  const { actualPersonId, createdAt, createdBy, note, recordId, setAside, threshold } = correction
  const nameOf = usePersonName()
  const personName = nameOf(correction.personId, correction.personName)
  const other = nameOf(actualPersonId, correction.actualPersonName) || t('records:sinceDeleted')
  const effects = [
    actualPersonId !== null && t('effect.pair', { name: personName, other }),
    setAside.length > 0 && t('effect.setAside', { count: setAside.length }),
    threshold !== null && t('effect.threshold', { name: personName, score: scoreInWords(threshold) }),
  ].filter((effect) => effect !== false)
  return (
    <Alert
      className={styles.said}
      type="warning"
      showIcon
      title={actualPersonId === null ? t('saidNot', { name: personName }) : t('saidOther', { name: personName, other })}
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
