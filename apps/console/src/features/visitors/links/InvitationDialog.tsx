/** The dialog that makes the link of an invitation, and sends it by e-mail where that is possible. */
import { Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INVITATION_LINK } from '@gatehouse/contract'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { useRead } from '../../../api/query.ts'
import type { VisitLinks } from './useVisitLinks.ts'
import styles from './links.module.css'

export default function InvitationDialog({ links, visit }: { links: VisitLinks; visit: VisitRow }) {
  const { t } = useTranslation('visitors')
  const [mail, setMail] = useState(false)
  const details = useRead(visitorCalls.read, { query: { id: visit.id } })
  const installation = useRead(installationCalls.info, {})
  const email = details.data?.email ?? ''
  const canMail = email !== '' && installation.data?.mail === true
  const { inviting, invite, pending } = links
  return (
    <Modal
      open={inviting.open}
      centered
      title={t('links.invitationOf', { name: visit.name })}
      okText={t('links.makeOne')}
      cancelText={t('common:cancel')}
      confirmLoading={pending}
      okButtonProps={{ disabled: details.isPending || installation.isPending }}
      onOk={() => invite(visit, canMail && mail)}
      onCancel={inviting.close}
      destroyOnHidden
    >
      <p className={styles.words}>{t('links.invitationWords', { count: INVITATION_LINK })}</p>
      {canMail && (
        <Checkbox checked={mail} onChange={({ target }) => setMail(target.checked)}>
          {t('links.mailTo', { email })}
        </Checkbox>
      )}
    </Modal>
  )
}
