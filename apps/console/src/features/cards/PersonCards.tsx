/** The cards and palms of one person, for the person's page. */
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { IssuedCard, Palm } from '@gatehouse/contract/cards/issuing'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useMay } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { CardState, useRevoke } from './cardState.tsx'
import styles from './cards.module.css'

const IssueDialog = lazy(() => import('./IssueDialog.tsx'))
const PalmDialog = lazy(() => import('./PalmDialog.tsx'))

/** The section is empty for a user who may not issue cards. @param fixed the person is disabled: no card can be issued */
export function PersonCards({ personId, fixed }: { personId: string; fixed: boolean }) {
  return useMay('card.key.all') ? <Shown personId={personId} fixed={fixed} /> : null
}

function Shown({ personId, fixed }: { personId: string; fixed: boolean }) {
  const { t } = useTranslation('cards')
  const cards = useRead(cardCalls.list, { query: { personId, page: 1, size: 100 } })
  const palms = useRead(cardCalls.palms, { query: { personId } })
  const [issuing, enrolling] = [useEditor<IssuedCard>(), useEditor<Palm>()]
  const isEmpty = cards.data?.content.length === 0 && palms.data?.length === 0
  const section = (
    <Section
      title={t('person.title')}
      empty={isEmpty && t('person.noCards')}
      extra={
        !fixed && (
          <span className={styles.number}>
            <Button onClick={enrolling.add}>{t('palm.add')}</Button>
            <Button onClick={issuing.add}>{t('issue.add')}</Button>
          </span>
        )
      }
    >
      <DetailPage query={cards}>{({ content }) => <Cards cards={content} />}</DetailPage>
      <DetailPage query={palms}>{(found) => <Palms palms={found} />}</DetailPage>
    </Section>
  )
  return (
    <>
      {section}
      <Suspense fallback={null}>
        {issuing.openingCount > 0 && <IssueDialog key={`card ${issuing.openingCount}`} editor={issuing} personId={personId} />}
        {enrolling.openingCount > 0 && <PalmDialog key={`palm ${enrolling.openingCount}`} editor={enrolling} personId={personId} />}
      </Suspense>
    </>
  )
}

function Cards({ cards }: { cards: readonly IssuedCard[] }) {
  const { t } = useTranslation('cards')
  const revoke = useRevoke()
  if (cards.length === 0) return <p className={styles.words}>{t('person.noCards')}</p>
  return (
    <ul className={styles.own}>
      {cards.map((card) => (
        <li key={card.id}>
          <code>{card.number}</code>
          <small>{t('person.period', { from: card.effectiveDate, to: card.expiryDate })}</small>
          <CardState card={card} />
          <Button danger type="text" onClick={() => revoke(card)}>
            {t('revoke.ok')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Palms({ palms }: { palms: readonly Palm[] }) {
  const { t } = useTranslation('cards')
  const remove = useWrite(cardCalls.deletePalm, { done: t('palm.removed') })
  if (palms.length === 0) return null
  return (
    <ul className={styles.palms} aria-label={t('palm.list')}>
      {palms.map(({ id, url, deviceName, takenAt, hasTemplate }) => (
        <li key={id}>
          <img src={url} alt={t('palm.picture')} />
          <span>
            {deviceName} · <RelativeTime at={takenAt} />
            {!hasTemplate && <small>{t('palm.pictureOnly')}</small>}
          </span>
          <Button danger type="text" loading={remove.pending} onClick={() => remove.run({ params: { id } })}>
            {t('palm.remove')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
