/** The button that exports a list of access records. */
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import type { ExportedRecords } from './exportedRecords.ts'

const ExportRecordsDialog = lazy(() => import('./ExportRecordsDialog.tsx'))

export function ExportRecords({ list }: { list: ExportedRecords }) {
  const { t } = useTranslation('exports')
  const editor = useEditor<never>()
  const mayExport = useMayCall(exportCalls.accessRecord)
  if (!mayExport) return null
  return (
    <>
      <Button icon={<DownloadOutlined />} disabled={list.pending} onClick={editor.add}>
        {t('export')}
      </Button>
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <ExportRecordsDialog key={editor.openingCount} editor={editor} list={list} />}
      </Suspense>
    </>
  )
}
