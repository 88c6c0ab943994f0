/** The button of the desk that invites many visitors from a spreadsheet. */
import { TableOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { visitorImportCalls } from '@gatehouse/contract/visitors/imports'
import { useMayCall } from '../../../api/session.ts'

const ImportDialog = lazy(() => import('./ImportDialog.tsx'))

export function ImportButton() {
  const { t } = useTranslation('visitors')
  const mayImport = useMayCall(visitorImportCalls.create)
  const [{ open, used }, setDialog] = useState({ open: false, used: false })
  if (!mayImport) return null
  return (
    <>
      <Button icon={<TableOutlined />} onClick={() => setDialog({ open: true, used: true })}>
        {t('imports.open')}
      </Button>
      <Suspense fallback={null}>{used && <ImportDialog open={open} close={() => setDialog({ open: false, used: true })} />}</Suspense>
    </>
  )
}
