/** A device was sent persons for the first time since its secret was made: shown to every user who may pair devices. */
import { Button, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DeviceFetch } from '@gatehouse/contract/devices/device'
import { topics } from '@gatehouse/contract/realtime'
import { feedback } from '../../kit/feedback.tsx'
import { useLive } from '../../api/live.ts'
import { goTo } from '../../kit/navigation.ts'
import { useMayCall, useSession } from '../../api/session.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'

/** Long enough to be read by a user who waits for it anyway. */
const OWN_SECONDS = 6

export function DeviceFetched() {
  const { t, i18n } = useTranslation('shell')
  const mayRead = useMayCall(deviceCalls.read)
  const mayRevoke = useMayCall(deviceCalls.revoke)
  const revocation = useWrite(deviceCalls.revoke, { done: t('notice.revoked') })

  const userId = useSession(({ profile }) => profile?.id)

  async function showNotice({ id, name, pairedBy, pairedById, persons }: DeviceFetch): Promise<void> {
    const { notification } = await feedback()
    const key = `fetched:${id}`
    const leaving = (act: () => void) => () => {
      notification.destroy(key)
      act()
    }
    // It is shown to the user who did it too, since someone else may have used the session.
    const isOwn = pairedById === userId
    notification[isOwn ? 'info' : 'warning']({
      key,
      title: t('notice.fetchedTitle', { name }),
      description: t('notice.fetched', {
        count: persons,
        n: persons.toLocaleString(i18n.language),
        pairedBy: pairedBy || t('notice.somebody'),
      }),
      placement: 'bottomRight',
      duration: isOwn ? OWN_SECONDS : 0,
      role: isOwn ? 'status' : 'alert',
      actions: (
        <Space>
          {mayRevoke && (
            <Button danger size="small" onClick={leaving(() => revocation.run({ params: { id } }))}>
              {t('notice.revoke')}
            </Button>
          )}
          {mayRead && (
            <Button type="primary" size="small" onClick={leaving(() => void goTo(path('deviceDetails', { deviceId: id })))}>
              {t('notice.openDevice')}
            </Button>
          )}
        </Space>
      ),
    })
  }

  useLive(
    topics.deviceFetched,
    ({ rows }) => {
      for (const row of rows) void showNotice(row)
    },
    [],
  )
  return null
}
