/** The button of a list of persons that hands them out as a file, those selected or all of the list. */
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { peopleCalls, type Person, type PersonKind } from '@gatehouse/contract/people/calls'
import { useMayCall } from '../../../api/session.ts'
import { useBrought } from '../../../kit/useBrought.ts'
import type { List, ListQuery } from '../../../kit/list/useList.ts'

const ExportDialog = lazy(() => import('./ExportDialog.tsx'))

export type PersonList = Pick<List<Person, ListQuery<typeof peopleCalls.list>>, 'query' | 'selected' | 'total' | 'filtered'>

/** @param kind of the register the list shows */
export function ExportPersons({ list, kind }: { list: PersonList; kind: PersonKind }) {
  const { t } = useTranslation('people')
  const [round, setRound] = useState(0)
  const [open, setOpen] = useState(false)
  const mayExport = useMayCall(peopleCalls.export)
  const ask = (): void => {
    setRound((before) => before + 1)
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
        {round > 0 && <ExportDialog key={round} open={open} close={() => setOpen(false)} list={list} kind={kind} />}
      </Suspense>
    </>
  )
}
