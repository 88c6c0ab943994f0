/** The buttons that export a list: of access records, or of others that name their calls. */
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { RECORD_WINDOW_DEFAULT } from '@gatehouse/contract'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { useMayCall, useSession } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import type { ExportedList, ExportSource } from './exportedList.ts'

const ExportRecordsDialog = lazy(() => import('./ExportRecordsDialog.tsx'))

export function ExportButton({ list, source }: { list: ExportedList; source: ExportSource }) {
  const { t } = useTranslation('exports')
  const editor = useEditor<never>()
  const mayExport = useMayCall(source.start)
  if (!mayExport) return null
  return (
    <>
      <Button icon={<DownloadOutlined />} disabled={list.pending} onClick={editor.add}>
        {t('export')}
      </Button>
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <ExportRecordsDialog key={editor.openingCount} editor={editor} list={list} source={source} />}
      </Suspense>
    </>
  )
}

export function ExportRecords({ list }: { list: ExportedList }) {
  const { t } = useTranslation('exports')
  const days = useSession(({ park }) => park?.recordDays ?? RECORD_WINDOW_DEFAULT)
  return <ExportButton list={list} source={{ start: exportCalls.accessRecord, list: recordCalls.find, title: t('dialogTitle'), days }} />
}
