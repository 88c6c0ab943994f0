/** Sets the state of persons who are not in the list yet. */
import { Form, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { PERSON_STATE, restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { PersonsField } from '../../shared/PersonField.tsx'
import { useStateOptions } from './areas.tsx'

export default function StatusDialog({ editor, areaId }: { editor: { open: boolean; close: () => void }; areaId: string }) {
  const { t } = useTranslation('restrictions')
  const states = useStateOptions()
  return (
    <FormDialog
      call={restrictionCalls.setStatus}
      editor={editor}
      title={t('setSomebody')}
      initial={ready({ personIds: [], status: PERSON_STATE.inside })}
      hidden={{ restrictionId: areaId }}
      done={t('stateSet')}
      draft={`restriction.status.${areaId}`}
    >
      <Form.Item name="personIds" label={t('person')} required>
        <PersonsField initial={[]} />
      </Form.Item>
      <Form.Item name="status" label={t('status')} extra={t('setHint')}>
        <Segmented aria-label={t('status')} options={states} />
      </Form.Item>
    </FormDialog>
  )
}
