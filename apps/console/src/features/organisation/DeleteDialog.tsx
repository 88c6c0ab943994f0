/** Deletes an organisation. Its name has to be typed, since the persons and records of a park are deleted with it. */
import { Alert, Form, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../api/refusal.ts'
import { useWrite } from '../../kit/form/useWrite.ts'

interface DeleteDialogProps {
  region: { id: string; name: string }
  close: () => void
  onDeleted: () => void
}

const why = (error: unknown): string => {
  if (!(error instanceof Refusal)) throw error
  return error.family !== 'business' && error.fields[0] ? sentenceOfIssue(error.fields[0]) : sentenceOf(error)
}

export default function DeleteDialog({ region: { id, name }, close, onDeleted }: DeleteDialogProps) {
  const { t } = useTranslation('organisation')
  const field = useId()
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const remove = useWrite(areaCalls.delete, { done: t('deleted'), errors: 'inline' })
  async function send(): Promise<void> {
    setRefused(null)
    try {
      await remove.send({ params: { id } })
      close()
      onDeleted()
    } catch (error) {
      setRefused(why(error))
    }
  }
  return (
    <Modal
      open
      centered
      title={t('deleteTitle', { name })}
      okText={t('delete')}
      okButtonProps={{ danger: true, disabled: typed !== name }}
      cancelText={t('common:cancel')}
      confirmLoading={remove.pending}
      onOk={() => void send()}
      onCancel={close}
    >
      <p>{t('deleteWords')}</p>
      {refused && <Alert type="error" showIcon role="alert" title={refused} />}
      <Form layout="vertical" style={{ marginTop: 16 }} onFinish={() => typed === name && void send()}>
        <Form.Item label={t('deleteType', { name })} htmlFor={field} style={{ marginBottom: 0 }}>
          <Input id={field} autoFocus autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
