/** Makes a link for one wall display. */
import { Form } from 'antd'
import Input from 'antd/es/input/Input'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { screenLinkCalls, type ScreenLink } from '@gatehouse/contract/identity/screen-links'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { InstantField } from '../../../kit/form/InstantField.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'

type Fields = InputOf<typeof screenLinkCalls.create.body>

interface ScreenLinkDialogProps {
  editor: Editor<ScreenLink>
  onMade: (made: { token: string; endsAt: number | null }) => void
}

export default function ScreenLinkDialog({ editor, onMade }: ScreenLinkDialogProps) {
  const { t } = useTranslation('system')
  const endsAt = useRef<number | null>(null)
  return (
    <FormDialog
      call={screenLinkCalls.create}
      editor={editor}
      title={t('screens.links.add')}
      submit={t('screens.links.make')}
      width={480}
      initial={ready<Fields>({ name: '', endsAt: null })}
      prepare={async (body) => {
        endsAt.current = (body as Fields).endsAt ?? null
        return body
      }}
      done={t('screens.links.made')}
      draft="screens.link"
      onDone={({ token }) => onMade({ token, endsAt: endsAt.current })}
    >
      <Form.Item name="name" label={t('screens.links.name')} extra={t('screens.links.nameHint')} required>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="endsAt" label={t('screens.links.endsAt')} extra={t('screens.links.endsAtHint')}>
        <InstantField as="end" />
      </Form.Item>
    </FormDialog>
  )
}
