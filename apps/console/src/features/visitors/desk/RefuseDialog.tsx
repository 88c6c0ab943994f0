/** The dialog that asks for the reason why visits are refused: a usual one, or a typed text. */
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX } from '@gatehouse/contract'
import styles from './desk.module.css'

const USUAL = ['host', 'time', 'data', 'who'] as const

interface RefuseDialogProps {
  open: boolean
  names: readonly string[]
  refuse: (reason: string) => void
  close: () => void
}

export default function RefuseDialog({ open, names, refuse, close }: RefuseDialogProps) {
  const { t } = useTranslation('visitors')
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const isMissing = isSubmitted && reason.trim() === ''
  function confirm(): void {
    setSubmitted(true)
    if (reason.trim() === '') return
    close()
    refuse(reason.trim())
  }
  return (
    <Modal
      open={open}
      centered
      destroyOnHidden
      title={names.length === 1 ? t('refuseOne', { name: names[0] }) : t('refuseSeveral', { count: names.length })}
      okText={t('refuse')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:cancel')}
      onOk={confirm}
      onCancel={close}
      afterOpenChange={(shown) => shown && document.getElementById('refuse-reason')?.focus()}
    >
      <div className={styles.reasons} role="group" aria-label={t('usualReasons')}>
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
      <label htmlFor="refuse-reason" className={styles.reasonLabel}>
        {t('rejectReason')}
      </label>
      <Input.TextArea
        id="refuse-reason"
        value={reason}
        maxLength={TEXT_MAX}
        autoSize={{ minRows: 2, maxRows: 4 }}
        {...(isMissing && { status: 'error' as const, 'aria-invalid': true, 'aria-describedby': 'refuse-missing' })}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          confirm()
        }}
      />
      {isMissing ? (
        <p id="refuse-missing" role="alert" className={styles.missing}>
          {t('rejectReasonMissing')}
        </p>
      ) : (
        <p className={styles.hint}>{t('rejectReasonHint')}</p>
      )}
    </Modal>
  )
}
