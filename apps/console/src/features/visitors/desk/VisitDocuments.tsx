/** What the visitor of a visit agreed to or signed, each opened as PDF, and the text of their consent to face recognition. */
import { FilePdfOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { visitorDocumentCalls } from '@gatehouse/contract/visitors/documents'
import type { Visit } from '@gatehouse/contract/visitors/visit'
import { useRead } from '../../../api/query.ts'
import { request } from '../../../api/request.ts'
import { saveFile } from '../../../api/saveFile.ts'
import { useMayCall } from '../../../api/session.ts'
import { Section } from '../../../kit/detail/DetailPage.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import styles from './desk.module.css'

export function VisitDocuments({ visit: { id } }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  const { offset } = useZoneOffset()
  const found = useRead(visitorDocumentCalls.signed, { query: { id } })
  const mayOpen = useMayCall(visitorDocumentCalls.file)
  if (found.data === undefined || found.data.length === 0) return null
  // A refusal has been shown already.
  const take = (documentId: string): void => void request(visitorDocumentCalls.file, { query: { id, documentId } }).then(saveFile, () => {})
  return (
    <Section title={t('documents.signed')}>
      <ul className={styles.documents}>
        {found.data.map(({ id: documentId, title, language, textVersion, textHash, acceptance, signedAt }) => (
          <li key={documentId}>
            <span>
              <b>{title}</b>
              <span>
                {t('documents.acceptedAt', { how: t(`documents.acceptances.${acceptance}`), at: formatInstant(signedAt, offset) })}
              </span>
              <small title={textHash}>
                {t('documents.shownIn', { language: t(`languages.${language}`), version: textVersion, hash: textHash.slice(0, 12) })}
              </small>
            </span>
            {mayOpen && (
              <Button icon={<FilePdfOutlined />} aria-label={t('documents.openOf', { title })} onClick={() => take(documentId)}>
                {t('documents.open')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Whether the visitor agreed to face recognition, and the text that was shown to them. */
export function ConsentFact({ visit: { faceConsent, consentShown } }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  if (consentShown === null) return <>{t(faceConsent ? 'consentGiven' : 'consentNone')}</>
  const { language, textVersion, textHash, text } = consentShown
  const values = { language: t(`languages.${language}`), version: textVersion, hash: textHash.slice(0, 12) }
  return (
    <details className={styles.consent}>
      <summary>
        {t('consentGiven')}
        <small title={textHash}>{t(textVersion === 0 ? 'documents.shippedIn' : 'documents.shownIn', values)}</small>
      </summary>
      <p lang={language}>{text}</p>
    </details>
  )
}
