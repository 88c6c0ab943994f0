/** The button of the desk that opens the links for visitors and hosts. */
import { QrcodeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitLinks } from './useVisitLinks.ts'

const VisitorLinksDialog = lazy(() => import('./VisitorLinksDialog.tsx'))

export function LinksButton({ links }: { links: VisitLinks }) {
  const { t } = useTranslation('visitors')
  const [{ open, used }, setDialog] = useState({ open: false, used: false })
  if (!links.offered) return null
  return (
    <>
      <Button icon={<QrcodeOutlined />} onClick={() => setDialog({ open: true, used: true })}>
        {t('links.open')}
      </Button>
      <Suspense fallback={null}>
        {used && <VisitorLinksDialog open={open} close={() => setDialog({ open: false, used: true })} links={links} />}
      </Suspense>
    </>
  )
}
