/** The button of a list of access records that asks for them as a file. */
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { exportCalls, type accessRecordExport } from '@gatehouse/contract/exports/calls'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'

const ExportRecordsDialog = lazy(() => import('./ExportRecordsDialog.tsx'))

export interface ExportedList {
  /** As the list is narrowed, whoever narrowed it. */
  query: Omit<InputOf<typeof accessRecordExport>, 'format'>
  filtered: boolean
  /** Nothing is known of it yet. */
  pending: boolean
  total: number
  /** False: there are at least `total`. */
  totalExact: boolean
}

export function ExportRecords({ list }: { list: ExportedList }) {
  const { t } = useTranslation('exports')
  const editor = useEditor<never>()
  const mayExport = useMayCall(exportCalls.accessRecord)
  if (!mayExport) return null
  return (
    <>
      <Button icon={<DownloadOutlined />} disabled={list.pending} onClick={editor.add}>
        {t('export')}
      </Button>
      <Suspense fallback={null}>{editor.round > 0 && <ExportRecordsDialog key={editor.round} editor={editor} list={list} />}</Suspense>
    </>
  )
}
