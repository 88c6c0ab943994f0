/** The button that controls the doors of the selected devices of a list. */
import { UnlockOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'

const BatchDoorsDialog = lazy(() => import('./BatchDoorsDialog.tsx'))

export function BatchDoors({ ids }: { ids: string[] }) {
  const { t } = useTranslation('doors')
  const editor = useEditor<string[]>()
  const mayControl = useMayCall(doorCalls.controlMany)
  if (!mayControl) return null
  return (
    <>
      <Button icon={<UnlockOutlined />} onClick={() => editor.edit(ids)}>
        {t('batch.button')}
      </Button>
      <Suspense fallback={null}>
        {editor.target && <BatchDoorsDialog key={editor.openingCount} open={editor.open} close={editor.close} ids={editor.target} />}
      </Suspense>
    </>
  )
}
