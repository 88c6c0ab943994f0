/** Restarts the server and waits until it answers again. */
import { ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { modal, toast } from '../../../kit/feedback.tsx'
import { useRead } from '../../../api/query.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'

const LOOK_EVERY_MS = 1500

export function RestartButton() {
  const { t } = useTranslation('system')
  const details = useRead(installationCalls.details, {})
  const [waitingSince, setWaitingSince] = useState<number>()
  const startedAt = details.data?.startedAt ?? 0
  const restart = useWrite(installationCalls.restart, { done: t('about.restarting'), onDone: () => setWaitingSince(startedAt) })
  const { refetch } = details
  useEffect(() => {
    if (waitingSince === undefined) return
    const timer = setInterval(() => {
      void refetch().then(({ data, isSuccess }) => {
        if (!isSuccess || data.startedAt === waitingSince) return
        setWaitingSince(undefined)
        toast('success', t('about.restarted'))
      })
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [refetch, t, waitingSince])
  if (details.data?.restartable === false) return null
  const ask = (): void =>
    modal.confirm({
      title: t('about.restartTitle'),
      content: t('about.restartWords'),
      okText: t('about.restartNow'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => restart.run({}),
    })
  return (
    <Button icon={<ReloadOutlined />} loading={restart.pending || waitingSince !== undefined} disabled={!details.data} onClick={ask}>
      {waitingSince === undefined ? t('about.restart') : t('about.restarting')}
    </Button>
  )
}
