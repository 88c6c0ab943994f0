/** The state of an issued card, and its revocation, for every list of cards. */
import { useTranslation } from 'react-i18next'
import type { IssuedCard } from '@gatehouse/contract/cards/issuing'
import { jobState } from '@gatehouse/contract/enums/common'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { modal } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import styles from './cards.module.css'

/** Whether a card opens doors: its state, and the reason if it does not. */
export function CardState({ card: { status, reason, inForce } }: { card: Pick<IssuedCard, 'status' | 'reason' | 'inForce'> }) {
  const { t } = useTranslation('cards')
  const words =
    reason === null ? t(inForce ? 'state.inForce' : status === 'inProgress' ? 'state.later' : 'state.over') : t(`state.${reason}`)
  return (
    <span className={styles.two}>
      <span>
        <EnumTag of={jobState} value={status} />
      </span>
      <small title={words}>{words}</small>
    </span>
  )
}

/** Return a function that revokes a card after a question. */
export function useRevoke(): (card: Pick<IssuedCard, 'id' | 'number' | 'personName'>) => void {
  const { t } = useTranslation('cards')
  const revoke = useWrite(cardCalls.revoke, { done: t('revoke.done') })
  return ({ id, number, personName }) =>
    modal.confirm({
      title: t('revoke.title', { number }),
      content: t('revoke.words', { name: personName }),
      okText: t('revoke.ok'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => revoke.run({ query: { ids: [id] } }),
    })
}
