/** Whether a card opens doors: its state, and why not. */
import { useTranslation } from 'react-i18next'
import type { IssuedCard } from '@gatehouse/contract/cards/issuing'
import { jobState } from '@gatehouse/contract/enums/common'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import styles from './cards.module.css'

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
