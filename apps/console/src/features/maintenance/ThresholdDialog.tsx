/** The dialog for the shares in use, in percent, from which processor, memory and disk of devices count as too full. */
import { Form, InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { RESOURCE_KINDS } from '@gatehouse/contract/maintenance/resources'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import styles from './maintenance.module.css'

export default function ThresholdDialog({ editor }: { editor: Editor<never> }) {
  const { t } = useTranslation('maintenance')
  const thresholds = useReadOnce(maintenanceCalls.thresholds, {})
  return (
    <FormDialog
      call={maintenanceCalls.saveThresholds}
      editor={editor}
      title={t('thresholds.title')}
      initial={loadedFrom(thresholds, ({ cpu, memory, disk }) => ({ cpu, memory, disk }))}
      hidden={{ version: thresholds.data?.version }}
      done={t('thresholds.saved')}
      draft="maintenance.thresholds"
      width={460}
    >
      <p className={styles.words}>{t('thresholds.words')}</p>
      {RESOURCE_KINDS.map((kind) => (
        <Form.Item key={kind} name={kind} label={t(`resource.${kind}`)}>
          <InputNumber min={1} max={100} suffix="%" style={{ width: 160 }} />
        </Form.Item>
      ))}
    </FormDialog>
  )
}
