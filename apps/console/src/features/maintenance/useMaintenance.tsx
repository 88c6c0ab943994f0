/** Maintenance of one device, for the menu of its row and its own page: offline log, device log, and commands. */
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/device'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { maintenanceCalls, type AGENT_COMMANDS } from '@gatehouse/contract/maintenance/calls'
import type { RowAction } from '../../kit/list/RowMenu.tsx'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { modal, toast } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useDoorWords } from '../doors/index.ts'

const OfflineLogDialog = lazy(() => import('./OfflineLogDialog.tsx'))
const DeviceLogsDialog = lazy(() => import('./DeviceLogsDialog.tsx'))

type Named = Pick<Device, 'id' | 'name' | 'onlineStatus'>

interface Maintenance {
  actionsOf: (device: Named) => RowAction[]
  /** Must be placed on the page. */
  dialogs: ReactNode
}

export function useMaintenance(): Maintenance {
  const { t } = useTranslation('maintenance')
  const offline = useEditor<Named>()
  const logs = useEditor<Named>()
  const run = useAgent()
  const mayRun = useMayCall(maintenanceCalls.controlAgent)
  return {
    actionsOf: (device) => [
      { key: 'offlineLog', label: t('offline.title'), run: () => offline.edit(device) },
      { key: 'deviceLogs', label: t('logs.title'), run: () => logs.edit(device) },
      ...(mayRun && device.onlineStatus === deviceOnlineStatus.online
        ? [
            { key: 'synchronise', label: t('agent.synchronise'), run: () => run(device, 'synchronise') },
            { key: 'restart', label: t('agent.restart'), danger: true, run: () => run(device, 'restart') },
          ]
        : []),
    ],
    dialogs: (
      <Suspense fallback={null}>
        {offline.target && (
          <OfflineLogDialog key={`offline ${offline.openingCount}`} open={offline.open} close={offline.close} device={offline.target} />
        )}
        {logs.target && <DeviceLogsDialog key={`logs ${logs.openingCount}`} open={logs.open} close={logs.close} device={logs.target} />}
      </Suspense>
    ),
  }
}

type Command = (typeof AGENT_COMMANDS)[number]

/**
 * Return a function that runs a command on a device and shows its outcome. A restart is confirmed before.
 */
function useAgent(): (device: { id: string; name: string }, command: Exclude<Command, 'resource'>) => void {
  const { t } = useTranslation('maintenance')
  const why = useDoorWords()
  const agent = useWrite(maintenanceCalls.controlAgent)
  return ({ id, name }, command) => {
    const run = (): void =>
      void agent.send({ body: { deviceId: id, command } }).then(
        ({ isSuccess, errorType }) =>
          toast(
            isSuccess ? 'success' : 'error',
            isSuccess ? t(`agent.${command}Done`, { name }) : t('agent.failed', { name, words: why(errorType) }),
          ),
        () => {},
      )
    if (command !== 'restart') return run()
    modal.confirm({
      title: t('agent.restartTitle', { name }),
      content: t('agent.restartWords'),
      okText: t('agent.restart'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: run,
    })
  }
}
