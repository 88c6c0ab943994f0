/** What the operator tells everybody, such as of an upgrade: once for each notice and person. */
import { NotificationOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeCalls } from '@gatehouse/contract/system/notices'
import { useLanguage } from '../../i18n/index.ts'
import { useRead } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import { Line } from './Line.tsx'
import styles from './notices.module.css'

export function SystemNotice() {
  const { t } = useTranslation('shell')
  const { language } = useLanguage()
  const { data: notice } = useRead(noticeCalls.lastNotice, {})
  const [readId, setReadId] = useState<string>()
  const [open, setOpen] = useState(false)
  if (!notice || notice.read || notice.id === readId) return null
  const read = (): void => {
    setReadId(notice.id)
    void request(noticeCalls.readNotice, { params: { id: notice.id } }, { errors: 'silent' }).catch(() => {})
  }
  return (
    <>
      <Line
        status="info"
        icon={<NotificationOutlined />}
        actions={
          <Button size="small" type="primary" onClick={() => setOpen(true)}>
            {t('notice.read')}
          </Button>
        }
        close={read}
      >
        {notice.title[language]}
      </Line>
      <Modal
        open={open}
        title={notice.title[language]}
        footer={
          <Button type="primary" onClick={read}>
            {t('notice.understood')}
          </Button>
        }
        onCancel={() => setOpen(false)}
        centered
        destroyOnHidden
      >
        <p className={styles.content}>{notice.content[language]}</p>
      </Modal>
    </>
  )
}
