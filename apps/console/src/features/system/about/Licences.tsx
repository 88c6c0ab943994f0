/** The parts the product is made of, each with its licence. */
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '@gatehouse/contract'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { DetailPage, Section } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import styles from '../system.module.css'

type Part = DataOf<(typeof installationCalls)['licences']>['content'][number]

export function Licences() {
  const { t } = useTranslation('system')
  const licences = useRead(installationCalls.licences, {})
  const [open, setOpen] = useState<Part>()
  return (
    <Section title={t('about.licences')}>
      <p className={styles.words}>{t('about.licencesWords')}</p>
      <DetailPage query={licences}>
        {({ content }) => (
          <table className={styles.licences}>
            <thead>
              <tr>
                <th scope="col">{t('about.part')}</th>
                <th scope="col">{t('about.version')}</th>
                <th scope="col">{t('about.licence')}</th>
              </tr>
            </thead>
            <tbody>
              {content.map((part) => (
                <tr key={part.name}>
                  <th scope="row">{part.name}</th>
                  <td>{part.version}</td>
                  <td>
                    <Button
                      type="link"
                      size="small"
                      style={{ paddingInline: 0 }}
                      title={t('about.showLicence', { name: part.name })}
                      onClick={() => setOpen(part)}
                    >
                      {part.licence}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </DetailPage>
      {open && (
        <Modal
          open
          centered
          width={720}
          title={t('about.showLicence', { name: open.name })}
          onCancel={() => setOpen(undefined)}
          footer={null}
        >
          <pre className={styles.licenceText}>{open.text || t('about.noText')}</pre>
        </Modal>
      )}
    </Section>
  )
}
