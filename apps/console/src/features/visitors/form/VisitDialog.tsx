/** Changes a visit that is not over, over the list. */
import { useTranslation } from 'react-i18next'
import { code } from '@gatehouse/contract'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { useReadOnce } from '../../../api/query.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { ChangedMeanwhile } from '../ChangedMeanwhile.tsx'
import { useVisitForm } from './useVisitForm.ts'
import { VisitFields } from './VisitFields.tsx'
import { valuesOf, type VisitValues } from './visitValues.ts'

/** Pixels: two columns. */
const WIDTH = 800

export default function VisitDialog({ editor, id }: { editor: Editor<VisitRow>; id: string }) {
  const { t } = useTranslation('visitors')
  const visit = useReadOnce(visitorCalls.read, { query: { id } })
  const rules = useVisitForm(false)
  return (
    <FormDialog<typeof visitorCalls.change, VisitValues>
      call={visitorCalls.change}
      editor={editor}
      title={t('editOf', { name: visit.data?.name ?? '' })}
      initial={loadedFrom(visit, valuesOf)}
      hidden={{ id, version: visit.data?.version }}
      {...rules}
      hindered={(refusal) => (refusal.code === code.visitorStatusChanged ? <ChangedMeanwhile refusal={refusal} /> : undefined)}
      done={t('saved')}
      draft={`visit.${id}`}
      width={WIDTH}
    >
      <VisitFields
        kind={visit.data?.validDays == null ? 'single' : 'regular'}
        isNew={false}
        isConsentGiven={visit.data?.faceConsent === true}
      />
    </FormDialog>
  )
}
