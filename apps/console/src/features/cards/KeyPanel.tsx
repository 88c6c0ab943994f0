/** One key: whether it is there, its check value, and what creates it. */
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardKey } from '@gatehouse/contract/cards/keys'
import { keyStatus } from '@gatehouse/contract/enums/devices'
import { Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import styles from './cards.module.css'

const KeyDialog = lazy(() => import('./KeyDialog.tsx'))

/** @param mayCreate false: what it follows from is not there yet */
export function KeyPanel({ present, mayCreate }: { present: CardKey; mayCreate: boolean }) {
  const { t } = useTranslation('cards')
  const editor = useEditor<CardKey>()
  const isThere = present.status === keyStatus.created
  return (
    <Section
      title={t('key.title')}
      extra={
        <Button type={isThere ? 'default' : 'primary'} disabled={!mayCreate} onClick={editor.add}>
          {t(isThere ? 'key.replace' : 'key.create')}
        </Button>
      }
    >
      <p className={styles.words}>{t(mayCreate ? `key.words.${present.type}` : 'key.leaderFirst')}</p>
      <div className={styles.four}>
        <Facts
          facts={[
            [t('key.status'), <EnumTag key="status" of={keyStatus} value={present.status} />],
            [t('key.name'), present.name],
            [t('key.checkValue'), present.checkValue && <code key="check">{present.checkValue}</code>],
            [t('key.createdAt'), present.createdAt && <RelativeTime key="at" at={present.createdAt} />],
          ]}
        />
      </div>
      <Suspense fallback={null}>{editor.round > 0 && <KeyDialog key={editor.round} editor={editor} present={present} />}</Suspense>
    </Section>
  )
}
