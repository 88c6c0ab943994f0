/** Name, notes and format of a case; its file is made in the background. */
import { Form, Input, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { caseCalls, type CaseAlarmKind } from '@gatehouse/contract/alarms/cases'
import { EXPORT_FORMATS, type ExportFormat } from '@gatehouse/contract/exports/calls'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ready } from '../../../kit/form/loaded.ts'

const FORMAT: ExportFormat = 'zip'

interface CaseDialogProps {
  editor: { open: boolean; close: () => void }
  alarms: { kind: CaseAlarmKind; id: string }[]
}

export default function CaseDialog({ editor, alarms }: CaseDialogProps) {
  const { t } = useTranslation('alarms')
  return (
    <FormDialog
      call={caseCalls.export}
      editor={editor}
      title={t('case.title', { count: alarms.length })}
      submit={t('case.start')}
      initial={ready({ name: '', notes: '', format: FORMAT })}
      hidden={{ alarms }}
      done={t('case.asked')}
      draft="alarmCase"
    >
      <Form.Item name="name" label={t('case.name')} required>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="notes" label={t('case.notes')}>
        <Input.TextArea maxLength={2000} autoSize={{ minRows: 3, maxRows: 10 }} />
      </Form.Item>
      <Form.Item name="format" label={t('case.format')}>
        <Segmented
          aria-label={t('case.format')}
          options={EXPORT_FORMATS.toReversed().map((value) => ({ value, label: t(`exports:formatOf.${value}`) }))}
        />
      </Form.Item>
    </FormDialog>
  )
}
