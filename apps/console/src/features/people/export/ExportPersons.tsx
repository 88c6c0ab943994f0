/** The button of a list of persons that exports the selected ones, or all. */
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { useMayCall } from '../../../api/session.ts'
import { useBrought } from '../../../kit/useBrought.ts'
import type { ExportedPersons } from './exportedPersons.ts'

const ExportDialog = lazy(() => import('./ExportDialog.tsx'))

/** @param kind of the register the list shows */
export function ExportPersons({ list, kind }: { list: ExportedPersons; kind: PersonKind }) {
  const { t } = useTranslation('people')
  const [openings, setOpenings] = useState(0)
  const [open, setOpen] = useState(false)
  const mayExport = useMayCall(peopleCalls.export)
  const ask = (): void => {
    setOpenings((before) => before + 1)
    setOpen(true)
  }
  useBrought('export', ask)
  if (!mayExport) return null
  return (
    <>
      <Button icon={<DownloadOutlined />} onClick={ask}>
        {t('export.export')}
      </Button>
      <Suspense fallback={null}>
        {openings > 0 && <ExportDialog key={openings} open={open} close={() => setOpen(false)} list={list} kind={kind} />}
      </Suspense>
    </>
  )
}
