/** Takes a card back, after asking. */
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { IssuedCard } from '@gatehouse/contract/cards/issuing'
import { modal } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'

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
