/** A new link for a visitor or a host, shown once. */
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { LinkOnce } from '../../enrolment/index.ts'
import type { MadeLink } from './useVisitLinks.ts'
import styles from './links.module.css'

export default function MadeLinkDialog({ made, close }: { made: MadeLink; close: () => void }) {
  const { t } = useTranslation('visitors')
  const { kind, title, requested, mailed, texted } = made
  return (
    <LinkOnce made={made} title={title} scan={t(`links.scan.${kind}`)} close={close}>
      {requested.mail && <Sent isSent={mailed} words={t(mailed ? 'links.mailed' : 'links.notMailed')} />}
      {requested.text && <Sent isSent={texted} words={t(texted ? 'links.texted' : 'links.notTexted')} />}
    </LinkOnce>
  )
}

/** What became of a link in one of the ways in which it was to be sent. */
const Sent = ({ isSent, words }: { isSent: boolean; words: string }) => (
  <Alert className={styles.mail ?? ''} type={isSent ? 'success' : 'warning'} showIcon title={words} />
)
