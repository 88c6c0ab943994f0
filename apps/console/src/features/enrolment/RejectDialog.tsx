/** The dialog that asks for the reason for a rejection: a usual one, or a typed text. */
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX } from '@gatehouse/contract'
import styles from './enrolment.module.css'

const USUAL = ['photo', 'who', 'name', 'registered', 'right'] as const

export default function RejectDialog({ names, reject, close }: { names: string[]; reject: (reason: string) => void; close: () => void }) {
  const { t } = useTranslation('enrolment')
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  function confirm(): void {
    setSubmitted(true)
    if (reason.trim() !== '') reject(reason.trim())
  }
  const missing = isSubmitted && reason.trim() === ''
  return (
    <Modal
      open
      centered
      title={names.length === 1 ? t('rejectOne', { name: names[0] }) : t('rejectSeveral', { count: names.length })}
      okText={t('reject')}
      okButtonProps={{ danger: true }}
      cancelText={t('cancel')}
      onOk={confirm}
      onCancel={close}
      afterOpenChange={(open) => open && document.getElementById('reject-reason')?.focus()}
    >
      <div className={styles.reasons} role="group" aria-label={t('reason')}>
        {USUAL.map((key) => {
          const words = t(`reasons.${key}`)
          return (
            <Button
              key={key}
              size="small"
              type={words === reason ? 'primary' : 'default'}
              aria-pressed={words === reason}
              onClick={() => setReason(words)}
            >
              {words}
            </Button>
          )
        })}
      </div>
      <label htmlFor="reject-reason" className={styles.reasonLabel}>
        {t('reason')}
      </label>
      <Input.TextArea
        id="reject-reason"
        value={reason}
        maxLength={TEXT_MAX}
        autoSize={{ minRows: 2, maxRows: 4 }}
        {...(missing && { status: 'error' as const, 'aria-invalid': true, 'aria-describedby': 'reject-missing' })}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          confirm()
        }}
      />
      {missing ? (
        <p id="reject-missing" role="alert" className={styles.missing}>
          {t('reasonMissing')}
        </p>
      ) : (
        <p className={styles.hint}>{t('reasonHint')}</p>
      )}
    </Modal>
  )
}
