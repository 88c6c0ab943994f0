/** The dialog that permits persons at doors, over the page it was opened from. */
import { Form, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../kit/feedback.tsx'
import type { Editor } from '../../../kit/form/useEditor.ts'
import PermitField from './PermitField.tsx'
import PermitNotice from './PermitNotice.tsx'
import { isChosen, isGranted, NO_PERMIT, type PermitResult, type PermitValue } from './permitValue.ts'
import { usePermit } from './usePermit.ts'

/** The persons to permit, and what was chosen before. */
export interface PermitRequest {
  personIds: string[]
  /** Name of a single person. */
  name?: string
  chosen?: PermitValue
}

interface PermitDialogProps {
  editor: Editor<PermitRequest>
  /** Called once everything that was chosen is granted. */
  onDone?: () => void
}

/** Pixels. */
const WIDTH = 560

export default function PermitDialog({ editor, onDone }: PermitDialogProps) {
  const { t } = useTranslation('approvals')
  const { personIds = [], name, chosen } = editor.target ?? {}
  const [value, setValue] = useState<PermitValue>(chosen ?? NO_PERMIT)
  const [result, setResult] = useState<PermitResult>()
  const { permit, pending } = usePermit()

  async function send(): Promise<void> {
    const answer = await permit(personIds, value)
    setResult(answer)
    if (!isGranted(answer)) return
    toast('success', t('permit.done'))
    editor.close()
    onDone?.()
  }

  return (
    <Modal
      open={editor.open}
      title={name === undefined ? t('permit.titleMany', { count: personIds.length }) : t('permit.titleOf', { name })}
      width={WIDTH}
      centered
      destroyOnHidden
      mask={{ closable: false }}
      okText={t('permit.permit')}
      okButtonProps={{ disabled: !isChosen(value) }}
      confirmLoading={pending}
      cancelText={t(result ? 'permit.close' : 'common:cancel')}
      onOk={() => void send()}
      onCancel={editor.close}
    >
      <Form layout="vertical">
        <Form.Item label={t('permit.field')} htmlFor="permit">
          <PermitField
            id="permit"
            value={value}
            personIds={personIds}
            onChange={(now) => {
              setValue(now)
              setResult(undefined)
            }}
          />
        </Form.Item>
      </Form>
      {result && <PermitNotice result={result} />}
    </Modal>
  )
}
