/** Exports marked alarms as a case: one file with their pictures, the steps of their handling, and notes. */
import { FolderAddOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { caseCalls, type CaseAlarmKind } from '@gatehouse/contract/alarms/cases'
import { useMayCall } from '../../../api/session.ts'
import { useEditor } from '../../../kit/form/useEditor.ts'

const CaseDialog = lazy(() => import('./CaseDialog.tsx'))

/** Whether the session may export cases: where it may not, rows need no marks. */
export const useMayExportCase = (): boolean => useMayCall(caseCalls.export)

export function CaseButton({ kind, ids }: { kind: CaseAlarmKind; ids: readonly string[] }) {
  const { t } = useTranslation('alarms')
  const editor = useEditor<never>()
  return (
    <>
      <Button icon={<FolderAddOutlined />} onClick={editor.add}>
        {t('case.export')}
      </Button>
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <CaseDialog key={editor.openingCount} editor={editor} alarms={ids.map((id) => ({ kind, id }))} />}
      </Suspense>
    </>
  )
}
