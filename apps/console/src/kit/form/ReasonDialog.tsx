/** A dialog that asks for the reason of a decision: a usual one, or a typed text. */
import { Button, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX } from '@gatehouse/contract'
import styles from './reason.module.css'

interface ReasonDialogProps {
  open: boolean
  title: string
  /** Text of the button that decides. */
  decision: string
  /** Usual reasons. Choosing one fills it in. */
  usual: readonly string[]
  texts: {
    /** Names the usual reasons. */
    usual: string
    reason: string
    missing: string
    hint: string
  }
  /** @param reason never empty */
  decide: (reason: string) => void
  close: () => void
}

export function ReasonDialog({ open, title, decision, usual, texts, decide, close }: ReasonDialogProps) {
  const { t } = useTranslation()
  const id = useId()
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const isMissing = isSubmitted && reason.trim() === ''
  function confirm(): void {
    setSubmitted(true)
    if (reason.trim() !== '') decide(reason.trim())
  }
  return (
    <Modal
      open={open}
      centered
      destroyOnHidden
      title={title}
      okText={decision}
      okButtonProps={{ danger: true }}
      cancelText={t('cancel')}
      onOk={confirm}
      onCancel={close}
      afterOpenChange={(shown) => shown && document.getElementById(id)?.focus()}
    >
      <div className={styles.reasons} role="group" aria-label={texts.usual}>
        {usual.map((words) => (
          <Button
            key={words}
            size="small"
            type={words === reason ? 'primary' : 'default'}
            aria-pressed={words === reason}
            onClick={() => setReason(words)}
          >
            {words}
          </Button>
        ))}
      </div>
      <label htmlFor={id} className={styles.label}>
        {texts.reason}
      </label>
      <Input.TextArea
        id={id}
        value={reason}
        maxLength={TEXT_MAX}
        autoSize={{ minRows: 2, maxRows: 4 }}
        {...(isMissing && { status: 'error' as const, 'aria-invalid': true, 'aria-describedby': `${id}-missing` })}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          confirm()
        }}
      />
      {isMissing ? (
        <p id={`${id}-missing`} role="alert" className={styles.missing}>
          {texts.missing}
        </p>
      ) : (
        <p className={styles.hint}>{texts.hint}</p>
      )}
    </Modal>
  )
}
