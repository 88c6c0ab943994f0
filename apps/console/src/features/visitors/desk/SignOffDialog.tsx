/** The dialog that signs visitors off. Where a card was issued, it asks whether the card is back. */
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { useRead } from '../../../api/query.ts'
import type { SignOff } from './useVisitActions.ts'
import styles from './desk.module.css'

interface SignOffDialogProps {
  open: boolean
  visits: readonly VisitRow[]
  signOff: (how: SignOff) => void
  close: () => void
}

const FOCUSED = 'sign-off-now'

export default function SignOffDialog({ open, visits, signOff, close }: SignOffDialogProps) {
  const { t } = useTranslation('visitors')
  const configuration = useRead(visitorConfigurationCalls.read, {})
  // Where passages outwards end visits, a user ends one only by force.
  const isForced = configuration.data?.openSignOff === false
  const withCard = visits.filter(({ cardNumber, cardReturned }) => cardNumber !== '' && !cardReturned)
  const finish = (how: SignOff): void => {
    close()
    signOff({ ...how, ...(isForced && { forced: true }) })
  }
  const buttons =
    withCard.length === 0 ? (
      <Button id={FOCUSED} type="primary" onClick={() => finish({})}>
        {t(isForced ? 'signOffForced' : 'signOff')}
      </Button>
    ) : (
      <>
        <Button danger onClick={() => finish({ cardReturned: false, forced: true })}>
          {t('signOffWithoutCard')}
        </Button>
        <Button id={FOCUSED} type="primary" onClick={() => finish({ cardReturned: true })}>
          {t('signOffWithCard')}
        </Button>
      </>
    )
  return (
    <Modal
      open={open}
      centered
      destroyOnHidden
      title={visits.length === 1 ? t('signOffOne', { name: visits[0]?.name }) : t('signOffSeveral', { count: visits.length })}
      onCancel={close}
      afterOpenChange={(shown) => shown && document.getElementById(FOCUSED)?.focus()}
      footer={
        <>
          <Button onClick={close}>{t('common:cancel')}</Button>
          {buttons}
        </>
      }
    >
      <p>{t('signOffWords')}</p>
      {isForced && <p className={styles.hint}>{t('signOffForcedWords')}</p>}
      {withCard.length > 0 && (
        <ul className={styles.cardList}>
          {withCard.map(({ id, name, cardNumber }) => (
            <li key={id}>{t('cardOf', { name, number: cardNumber })}</li>
          ))}
        </ul>
      )}
    </Modal>
  )
}
