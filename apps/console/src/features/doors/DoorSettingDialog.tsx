/** Settings of remote control in the park. */
import { Form, InputNumber, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import type { Editor } from '../../kit/form/useEditor.ts'

export default function DoorSettingDialog({ editor }: { editor: Editor<never> }) {
  const { t } = useTranslation('doors')
  const setting = useReadOnce(doorCalls.setting, { query: {} })
  return (
    <FormDialog
      call={doorCalls.saveSetting}
      editor={editor}
      title={t('setting.title')}
      initial={loadedFrom(setting, ({ holdSeconds, confirmFlag }) => ({ holdSeconds, confirmFlag }))}
      hidden={{ version: setting.data?.version }}
      done={t('setting.saved')}
      draft="doors.setting"
      width={520}
    >
      <Form.Item name="holdSeconds" label={t('setting.holdSeconds')} extra={t('setting.holdWords')}>
        <InputNumber min={0} max={600} style={{ width: 160 }} />
      </Form.Item>
      <Form.Item name="confirmFlag" label={t('setting.confirm')} extra={t('setting.confirmExtra')}>
        <Radio.Group
          options={[
            { value: 1, label: t('setting.ask') },
            { value: 0, label: t('setting.dontAsk') },
          ]}
        />
      </Form.Item>
    </FormDialog>
  )
}
