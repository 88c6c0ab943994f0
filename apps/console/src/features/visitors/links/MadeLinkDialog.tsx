/** A new link for a visitor or a host, shown once. */
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { LinkOnce } from '../../enrolment/index.ts'
import type { MadeLink } from './useVisitLinks.ts'
import styles from './links.module.css'

export default function MadeLinkDialog({ made, close }: { made: MadeLink; close: () => void }) {
  const { t } = useTranslation('visitors')
  const { kind, title, isMailRequested, mailed } = made
  return (
    <LinkOnce made={made} title={title} scan={t(`links.scan.${kind}`)} close={close}>
      {isMailRequested && (
        <Alert
          className={styles.mail ?? ''}
          type={mailed ? 'success' : 'warning'}
          showIcon
          title={t(mailed ? 'links.mailed' : 'links.notMailed')}
        />
      )}
    </LinkOnce>
  )
}
