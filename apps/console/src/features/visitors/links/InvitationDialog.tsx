/** The dialog that makes the link of an invitation, and sends it by e-mail and text message where that is possible. */
import { Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INVITATION_LINK } from '@gatehouse/contract'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { messagingCalls } from '@gatehouse/contract/visitors/messaging'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { useRead } from '../../../api/query.ts'
import type { VisitLinks } from './useVisitLinks.ts'
import styles from './links.module.css'

export default function InvitationDialog({ links, visit }: { links: VisitLinks; visit: VisitRow }) {
  const { t } = useTranslation('visitors')
  const [mail, setMail] = useState(false)
  const [text, setText] = useState(false)
  const details = useRead(visitorCalls.read, { query: { id: visit.id } })
  const installation = useRead(installationCalls.info, {})
  const occasions = useRead(messagingCalls.occasions, {})
  const { phone = '' } = details.data ?? {}
  const email = details.data?.email ?? ''
  const canMail = email !== '' && installation.data?.mail === true
  const canText = phone !== '' && occasions.data?.sms.includes('invite') === true
  const { inviting, invite, pending } = links
  return (
    <Modal
      open={inviting.open}
      centered
      title={t('links.invitationOf', { name: visit.name })}
      okText={t('links.makeOne')}
      cancelText={t('common:cancel')}
      confirmLoading={pending}
      okButtonProps={{ disabled: details.isPending || installation.isPending || occasions.isPending }}
      onOk={() => invite(visit, { mail: canMail && mail, text: canText && text })}
      onCancel={inviting.close}
      destroyOnHidden
    >
      <p className={styles.words}>{t('links.invitationWords', { count: INVITATION_LINK })}</p>
      {canMail && (
        <Checkbox checked={mail} onChange={({ target }) => setMail(target.checked)}>
          {t('links.mailTo', { email })}
        </Checkbox>
      )}
      {canText && (
        <Checkbox checked={text} onChange={({ target }) => setText(target.checked)}>
          {t('links.textTo', { phone })}
        </Checkbox>
      )}
    </Modal>
  )
}
