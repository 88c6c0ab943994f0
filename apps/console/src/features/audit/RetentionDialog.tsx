/** How long entries are kept, for the whole installation. */
import { Form, InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import type { Editor } from '../../kit/form/useEditor.ts'

export default function RetentionDialog({ editor }: { editor: Editor<never> }) {
  const { t } = useTranslation('audit')
  const retention = useReadOnce(auditCalls.retention, {})
  return (
    <FormDialog
      call={auditCalls.changeRetention}
      editor={editor}
      title={t('keep')}
      initial={loadedFrom(retention, ({ months }) => ({ months }))}
      hidden={{ version: retention.data?.version }}
      done={t('keptSaved')}
      draft="audit.retention"
    >
      <Form.Item name="months" label={t('months')} extra={t('keepWords')}>
        <InputNumber min={1} max={120} style={{ width: 160 }} />
      </Form.Item>
    </FormDialog>
  )
}
