/** Customers whose validity has ended or ends soon, as a file; offered until the person wants no more of it. */
import { DownloadOutlined, TeamOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { expiredCustomersStatus } from '@gatehouse/contract/enums'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { customerCalls } from '@gatehouse/contract/people/customers'
import { useRead } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import { saveFile } from '../../api/saveFile.ts'
import { useMay, useSession } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'
import { Line } from './Line.tsx'
import { usePutAway } from './putAway.ts'

export function ExpiredCustomers() {
  const user = useSession(({ profile }) => profile?.id)
  const may = useMay('person.list')
  const [closed, close] = usePutAway('expiredCustomers')
  const wanted = user !== undefined && may && !closed && !storage.get('noMoreNotice')?.includes(user)
  return wanted ? <Offer user={user} close={close} /> : null
}

function Offer({ user, close }: { user: string; close: () => void }) {
  const { t } = useTranslation('shell')
  const [busy, setBusy] = useState(false)
  const settings = useRead(alarmsCalls.accountAlertList, {})
  const check = useRead(customerCalls.checkExpired, {}, { enabled: settings.data?.sendExpiredCustomers === true })
  if (check.data?.status !== expiredCustomersStatus.hasFile || settings.data?.sendExpiredCustomers !== true) return null

  const download = (): void => {
    setBusy(true)
    void request(customerCalls.expired, {})
      .then(saveFile, () => {})
      .finally(() => setBusy(false))
  }
  const noMore = (): void => {
    storage.set('noMoreNotice', [...(storage.get('noMoreNotice') ?? []), user])
    close()
  }
  const actions = (
    <>
      <Button size="small" type="primary" icon={<DownloadOutlined />} loading={busy} onClick={download}>
        {t('notice.download')}
      </Button>
      <Button size="small" onClick={noMore}>
        {t('notice.noMore')}
      </Button>
    </>
  )
  return (
    <Line status="wait" icon={<TeamOutlined />} actions={actions} close={close}>
      {t('notice.expiredCustomers')}
    </Line>
  )
}
