/** The picture of a passage offered as the second photograph of a person, beside the one on file: a user compares and decides. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { secondPhotographCalls, type SecondPhotograph as Offered } from '@gatehouse/contract/records/second-photographs'
import { PicturePair } from '../../shared/PicturePair.tsx'
import { useRead } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import styles from './people.module.css'

/** The offer for one person; nothing where no passage is good enough. */
export function SecondPhotograph({ personId }: { personId: string }) {
  const { t } = useTranslation('people')
  const enabled = useMayCall(secondPhotographCalls.offer)
  const offered = useRead(secondPhotographCalls.offer, { params: { id: personId } }, { enabled })
  if (offered.data?.offer == null) return null
  return (
    <section className={styles.second} aria-label={t('second.title')}>
      <h3>{t('second.title')}</h3>
      <OfferedPhotograph offered={offered.data} />
    </section>
  )
}

/** Both pictures, with the buttons to decide. @param onTaken called once the person has two photographs */
export function OfferedPhotograph({ offered, onTaken }: { offered: Offered; onTaken?: () => void }) {
  const { t } = useTranslation('people')
  const { offset } = useZoneOffset()
  const mayAnswer = useMayCall(secondPhotographCalls.answer)
  const take = useWrite(secondPhotographCalls.answer, { done: t('second.taken'), ...(onTaken && { onDone: onTaken }) })
  const leave = useWrite(secondPhotographCalls.answer, { done: t('second.left') })
  const { personId, personName, registered, offer } = offered
  if (offer === null) return null
  const parts = (isTaken: boolean) => ({ params: { id: personId }, body: { recordId: offer.recordId, take: isTaken } })
  const pending = take.pending || leave.pending
  return (
    <div className={styles.offered}>
      <p className={styles.hint}>{t('second.words', { name: personName })}</p>
      <p>{t('second.passage', { door: offer.deviceName, time: formatInstant(offer.time, offset) })}</p>
      <PicturePair captured={offer.url} registered={registered?.url ?? ''} name={t('second.registered')} score={null} result={null} />
      {mayAnswer && (
        <div className={styles.secondAnswer}>
          <Button type="primary" loading={take.pending} disabled={pending} onClick={() => take.run(parts(true))}>
            {t('second.take')}
          </Button>
          <Button loading={leave.pending} disabled={pending} onClick={() => leave.run(parts(false))}>
            {t('second.leave')}
          </Button>
        </div>
      )}
    </div>
  )
}
